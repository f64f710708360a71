import { foreignPackage, install, type ForeignPackage } from '../harness/install.ts';

const programs: ForeignPackage[] = [];

function program(name: string, version: string): ForeignPackage {
  const known = foreignPackage(name, version);
  programs.push(known);
  return known;
}

/** Stands between a client and the site, and holds every request and answer against `openapi.json`. */
export const prism = program('@stoplight/prism-cli', '5.16.0');

/** Lints `openapi.json` by its rules for OpenAPI. */
export const spectral = program('@stoplight/spectral-cli', '6.16.3');

/** The suite of the Model Context Protocol itself. The version that is called the latest knows no revision after 2025. */
export const conformance = program('@modelcontextprotocol/conformance', '0.2.0-alpha.12');

/** The oldest that runs the package, and older than what comes with the checkout. */
export const oldestNode = program(`node-linux-${process.arch}`, '22.22.2');

/** Writes a bill of materials of an npm project. */
export const cyclonedxNpm = program('@cyclonedx/cyclonedx-npm', '6.0.1');

/** Writes bills of materials of projects in many languages. */
export const cdxgen = program('@cyclonedx/cdxgen', '12.8.4');

/** Holds a document against the schema of SARIF 2.1.0. */
export const jestSarif = program('@microsoft/jest-sarif', '1.0.0-beta.0');

/** Shows people what a document of SARIF says. */
export const sarifToMarkdown = program('@security-alert/sarif-to-markdown', '1.11.1');

/** Reads CSV as RFC 4180 has it, and says what is wrong with it. */
export const csvParse = program('csv-parse', '7.0.3');

/** A database that reads CSV, and guesses the types of columns unless it is told. */
export const duckdb = program('@duckdb/node-api', '1.5.6-r.1');

/** Its native part, which npm leaves out among optional packages. */
export const duckdbBinary = program(
  `@duckdb/node-bindings-${process.platform}-${process.arch}`,
  '1.5.6-r.1',
);

/** Holds a pipeline against the schema of GitLab, and says which of its jobs run. */
export const gitlabCiLocal = program('gitlab-ci-local', '4.75.1');

/** Before the first test: all of them are there. */
export default async function installThirdParty(): Promise<void> {
  for (const each of programs) {
    await install(each);
  }
}

if (import.meta.main) {
  await installThirdParty();
}
