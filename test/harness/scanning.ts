import { join } from 'node:path';
import { createEntryKey, type Entry } from '../../src/ask/texts/text-entries.ts';
import { addDays } from '../../src/core/model/dates.ts';
import { fixtureDay } from './checkout.ts';
import { temporaryFolder, writeIn } from './root.ts';
import { run } from './run.ts';
import { siteOfFixtureIndex } from './site.ts';
import { startSite } from './static-site.ts';

/** Scans a document, as JSON or as text, with the published index of the fixtures and the policy `supported`. */
export function scanDocument(content: unknown, ...args: string[]) {
  const folder = folderWith({ 'bom.json': content });
  return scan(folder, [join(folder, 'bom.json'), ...args]);
}

export const cyclonedx = (...components: object[]) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  components,
});
export const spdx = (...packages: object[]) => ({ spdxVersion: 'SPDX-2.3', packages });

export const sound = { name: 'svc', version: '2026.2' };

/** Scans with the published index of the fixtures on a day. `folder`: left out of messages. */
export async function scan(folder: string, args: readonly string[], day = fixtureDay, env = {}) {
  const url = await startSite(siteOfFixtureIndex());
  const policy = args.includes('--policy') ? [] : ['--policy', 'supported'];
  const ran = await run(
    ['scan', ...args, '--index', url, '--as-of', day, '--allow-stale', ...policy],
    env,
  );
  return { ...ran, stderr: ran.stderr.replaceAll(`${folder}/`, '').replaceAll(url, 'index') };
}

export function folderWith(files: Readonly<Record<string, unknown>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    writeIn(folder, name, content);
  }
  return folder;
}

const tomorrow = addDays(fixtureDay, 1);

/** Ends tomorrow. */
export const exception = {
  ...{ package: 'svc', versions: '<2025.2', policy: 'supported' },
  ...{ reason: 'The upgrade is planned as PLAN-42.', until: tomorrow },
};

/** Each entry once, at its first place, as `scan` judges them. */
export function uniqueEntries(entries: readonly Entry[]): Entry[] {
  return Array.from(Map.groupBy(entries, createEntryKey).values(), ([first]) => first);
}
