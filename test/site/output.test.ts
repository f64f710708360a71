import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/core/files.ts';
import { writeSite } from '../../src/site/output.ts';
import { readFiles, writeFiles } from '../harness/components.ts';

function write(folder: string, files: Readonly<Record<string, string>>): number {
  return writeSite(folder, Object.entries(files));
}

const digestOfA = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb';

test('a build writes files and their digests into a new folder', () => {
  const out = join(writeFiles({}), 'a/dist');

  expect(write(out, { 'details/svc.json': 'a', 'statements/svc.ndjson': 'b' })).toBe(3);

  expect(Object.fromEntries(readFiles(out))).toEqual({
    SHA256SUMS: `${digestOfA}  details/svc.json\n${sha256('b')}  statements/svc.ndjson\n`,
    'details/svc.json': 'a',
    'statements/svc.ndjson': 'b',
  });
});

test('a build replaces a former site as a whole, including its signature', () => {
  const SHA256SUMS = `${digestOfA}  details/svc.json\n`;
  const out = writeFiles({ SHA256SUMS, 'details/svc.json': 'a', 'SHA256SUMS.minisig': '' });

  write(out, { 'new.json': 'a' });

  expect([...readFiles(out).keys()]).toEqual(['SHA256SUMS', 'new.json']);
});

test('a build keeps the former site until the new one is complete, and leaves nothing behind if it fails', () => {
  const root = writeFiles({});
  const out = join(root, 'dist');
  write(out, { 'old.json': 'old' });
  const former = readFiles(out);
  const fail = function* (): Generator<[string, string]> {
    yield ['new.json', 'new'];
    expect(readFiles(out)).toEqual(former);
    throw new Error('no more');
  };

  expect(() => writeSite(out, fail())).toThrow('no more');

  expect(readFiles(out)).toEqual(former);
  expect(readdirSync(root)).toEqual(['dist']);
});

test('many simultaneous builds into the same folder leave one complete site there', async () => {
  const root = writeFiles({});
  const source = join(import.meta.dirname, '../../src');
  const script = `import { InputError } from '${source}/core/errors.ts';
    import { writeSite } from '${source}/site/output.ts';
    for (let count = 0; count < 60; count += 1) {
      try {
        writeSite('dist', [['a.json', String(process.pid)], ['b.json', 'b']]);
      } catch (error) {
        if (!(error instanceof InputError)) {
          throw error;
        }
      }
    }`;
  const builds = ['a', 'b', 'c'].map(() =>
    once(spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: root }), 'exit'),
  );

  expect(await Promise.all(builds)).toEqual(builds.map(() => [0, null]));

  const files = readFiles(join(root, 'dist'));
  expect(files.get('SHA256SUMS')).toContain(`${sha256(files.get('a.json')!)}  a.json`);
  expect(files.size).toBe(3);
  expect(readdirSync(root)).toEqual(['dist']);
});

test('if the output path is a symbolic link, a build replaces the linked folder', () => {
  const root = writeFiles({ 'served/SHA256SUMS': `${digestOfA}  a.json\n` });
  const link = join(root, 'dist');
  symlinkSync('served', link);

  write(link, { 'a.json': '2' });

  expect(readlinkSync(link)).toBe('served');
  expect(readFiles(join(root, 'served')).get('a.json')).toBe('2');
});

test.each([
  [
    { SHA256SUMS: `${digestOfA}  a.json\n`, 'a.json': 'a', 'src/b.ts': '' },
    'has files that no build made: src/b.ts. ',
  ],
  [{ SHA256SUMS: 'x' }, 'SHA256SUMS: expected a digest'],
])('a build writes nothing into a folder with the files %j, and reports: %s', (files, message) => {
  const out = writeFiles(files);

  expect(() => write(out, { 'a.json': 'new' })).toThrow(message);

  expect(Object.fromEntries(readFiles(out))).toEqual(files);
});
