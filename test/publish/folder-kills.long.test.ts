import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { listFiles, readIfThere } from '../../src/core/files.ts';
import { digestsFile, parseDigests } from '../../src/core/sha256sums.ts';
import { copySite } from '../../src/publish/folder.ts';
import { openSite } from '../../src/core/index/site-reader.ts';
import { verifySite } from '../../src/publish/verify.ts';
import { copyFolder, createFolder, publicKey, today } from '../harness/index-folder.ts';
import { makeTwoDays } from './two-days.ts';

const source = resolve(import.meta.dirname, '../../src/publish/folder.ts');
const sums = resolve(import.meta.dirname, '../../src/core/sha256sums.ts');
const killAtStep = resolve(import.meta.dirname, '../harness/kill-at-step.mjs');

const { oldSite, newSite } = await makeTwoDays();

const readDigests = (site: string) => parseDigests(readFileSync(join(site, digestsFile), 'utf8'));
const verify = (folder: string) =>
  verifySite(openSite(folder), { publicKey, day: today, maxAgeDays: 3 });

/** Publishes the new site in a process that is killed before this step. Returns the number of steps of a whole publication. */
function publishAndKill(to: string, step?: number): number {
  const code = `
    import { readFileSync } from 'node:fs';
    import { copySite } from ${JSON.stringify(source)};
    import { parseDigests } from ${JSON.stringify(sums)};
    const [out, to] = process.argv.slice(1);
    copySite(out, to, parseDigests(readFileSync(out + '/SHA256SUMS', 'utf8')));`;
  const counter = join(createFolder(), 'steps');
  const { signal } = spawnSync(
    process.execPath,
    ['--import', killAtStep, '--input-type=module', '-e', code, newSite, to],
    { env: { ...process.env, STEP_COUNTER: counter, KILL_AT_STEP: String(step ?? 0) } },
  );
  expect(signal).toBe(step === undefined ? null : 'SIGKILL');
  return Number(readIfThere(counter));
}

/** Each file is the old or the new one, and what the documents of the whole index name is there. */
function expectNoHalfFile(folder: string): void {
  for (const { path } of listFiles(folder).filter((file) => !file.path.endsWith('.part'))) {
    const versions = [oldSite, newSite].map((site) => readIfThere(join(site, path))?.toString());
    expect([...versions, path === digestsFile ? '' : undefined]).toContain(
      readFileSync(join(folder, path), 'utf8'),
    );
  }

  const names = JSON.parse(readIfThere(join(folder, 'index.json'))?.toString() ?? '[]') as string[];
  for (const path of names.flatMap((name) => [`${name}.json`, `${name}.html`])) {
    expect(existsSync(join(folder, path)), path).toBe(true);
  }
}

test.each([
  ['an old site', () => copyFolder(oldSite)],
  ['an empty folder', createFolder],
])('into %s, a publication may be killed at any of ten points', async (_, createTarget) => {
  const steps = publishAndKill(createTarget());
  expect(steps).toBeGreaterThan(50);

  for (let point = 0; point < 10; point += 1) {
    const folder = createTarget();
    publishAndKill(folder, Math.ceil((steps * (point + 0.5)) / 10));

    expectNoHalfFile(folder);
    if (readIfThere(join(folder, digestsFile))?.equals(readFileSync(join(newSite, digestsFile)))) {
      expect(await verifySite(openSite(folder), { day: today, maxAgeDays: 3 })).toBeDefined();
    }

    copySite(newSite, folder, readDigests(newSite));
    expect(listFiles(folder)).toEqual(listFiles(newSite));
    expect(await verify(folder)).toMatchObject({ asOf: today });
  }
});
