import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../src/cli/build.ts';
import { exampleDay, exampleRoot } from './example.ts';

let built: string | undefined;

/** The folder of the site of the example, built once. It is never too old, whenever the tests run. */
export function buildExample(): string {
  if (built === undefined) {
    built = makeFolder();
    build({ root: exampleRoot, out: built, day: exampleDay });
    changeStatus(built, { staleAfterDays: 1_000_000 });
  }
  return built;
}

/** Members of `status.json` that a test needs otherwise. */
export function changeStatus(out: string, members: object): void {
  const path = join(out, 'status.json');
  const status = JSON.parse(readFileSync(path, 'utf8')) as object;
  writeFileSync(path, JSON.stringify({ ...status, ...members }));
}

/** A folder until the process ends. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'release-index-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
