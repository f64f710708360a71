import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programFolder, programVersion as version } from '../src/io/program.ts';

/** Prints what the change log says of the version of package.json, which the tag, the only argument, has to name. */
const [tag] = process.argv.slice(2);
if (tag !== `v${version}`) {
  throw new Error(`package.json says ${version}, and the tag is "${tag}"`);
}
const log = readFileSync(join(programFolder, 'CHANGELOG.md'), 'utf8');
const entry = log.split(/^## /m).find((part) => part.startsWith(`${version}\n`));
if (entry === undefined) {
  throw new Error(`CHANGELOG.md tells nothing of ${version}`);
}
process.stdout.write(`${entry.slice(version.length).trim()}\n`);
