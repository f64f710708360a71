import { foreignPackages } from '../harness/install.ts';

const programs = foreignPackages('third-party');

/** Stands between a client and the site, and holds every request and answer against `openapi.json`. */
export const prism = programs.add('@stoplight/prism-cli', '5.16.0');

/** Lints `openapi.json` by its rules for OpenAPI. */
export const spectral = programs.add('@stoplight/spectral-cli', '6.16.3');

/** The suite of the Model Context Protocol itself. The version that is called the latest knows no revision after 2025. */
export const conformance = programs.add('@modelcontextprotocol/conformance', '0.2.0-alpha.12');

/** The oldest that runs the package, and older than what comes with the checkout. */
export const oldestNode = programs.add(`node-linux-${process.arch}`, '22.22.2');

/** Writes a bill of materials of an npm project. */
export const cyclonedxNpm = programs.add('@cyclonedx/cyclonedx-npm', '6.0.1');

/** Writes bills of materials of projects in many languages. */
export const cdxgen = programs.add('@cyclonedx/cdxgen', '12.8.4');

/** Holds a document against the schema of SARIF 2.1.0. */
export const jestSarif = programs.add('@microsoft/jest-sarif', '1.0.0-beta.0');

/** Shows people what a document of SARIF says. */
export const sarifToMarkdown = programs.add('@security-alert/sarif-to-markdown', '1.11.1');

/** Reads CSV as RFC 4180 has it, and says what is wrong with it. */
export const csvParse = programs.add('csv-parse', '7.0.3');

/** Holds a pipeline against the schema of GitLab, and says which of its jobs run. */
export const gitlabCiLocal = programs.add('gitlab-ci-local', '4.75.1');

/** Installs tools, and reads the list of their versions from an address. */
export const mise = programs.add(`@jdxcode/mise-linux-${process.arch}`, '2026.9.15');

/** Before the first test: all of them are there. */
export default async function installThirdParty(): Promise<void> {
  await programs.install();
}

if (import.meta.main) {
  await installThirdParty();
}
