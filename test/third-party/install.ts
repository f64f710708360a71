import { foreignPackage, install } from '../harness/install.ts';

/** Stands between a client and the site, and holds every request and answer against `openapi.json`. */
export const prism = foreignPackage('@stoplight/prism-cli', '5.16.0');

/** The suite of the Model Context Protocol itself. The version that is called the latest knows no revision after 2025. */
export const conformance = foreignPackage('@modelcontextprotocol/conformance', '0.2.0-alpha.12');

/** The client that people try servers of the protocol with. */
export const inspector = foreignPackage('@modelcontextprotocol/inspector', '2.12.0');

/** The oldest that runs the package, and older than what comes with the checkout. */
export const oldestNode = foreignPackage(`node-linux-${process.arch}`, '22.22.2');

/** Writes a bill of materials of an npm project. */
export const cyclonedxNpm = foreignPackage('@cyclonedx/cyclonedx-npm', '6.0.1');

/** Writes bills of materials of projects in many languages. */
export const cdxgen = foreignPackage('@cyclonedx/cdxgen', '12.8.4');

/** Holds a document against the schema of SARIF 2.1.0. */
export const jestSarif = foreignPackage('@microsoft/jest-sarif', '1.0.0-beta.0');

/** Shows people what a document of SARIF says. */
export const sarifToMarkdown = foreignPackage('@security-alert/sarif-to-markdown', '1.11.1');

/** Reads CSV as RFC 4180 has it, and says what is wrong with it. */
export const csvParse = foreignPackage('csv-parse', '7.0.3');

/** Checks signed webhooks, as receivers do (standardwebhooks.com). */
export const standardWebhooks = foreignPackage('standardwebhooks', '1.1.0');

/** Holds a pipeline against the schema of GitLab, and says which of its jobs run. */
export const gitlabCiLocal = foreignPackage('gitlab-ci-local', '4.75.1');

const programs = [
  prism,
  conformance,
  inspector,
  oldestNode,
  cyclonedxNpm,
  cdxgen,
  jestSarif,
  sarifToMarkdown,
  csvParse,
  standardWebhooks,
  gitlabCiLocal,
];

/** Before the first test: all of them are there. */
export default async function installThirdParty(): Promise<void> {
  for (const program of programs) await install(program);
}

if (import.meta.main) await installThirdParty();
