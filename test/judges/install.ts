import { foreignPackage, install } from '../harness/install.ts';

/** Stands between a client and the site, and holds every request and answer against `openapi.json`. */
export const prism = foreignPackage('@stoplight/prism-cli', '5.16.0');

/** Before the first test: all of them are there. */
export default async function installJudges(): Promise<void> {
  for (const judge of [prism]) await install(judge);
}

if (import.meta.main) await installJudges();
