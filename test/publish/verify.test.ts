import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSigningKey } from '../../src/publish/minisign.ts';
import { openSite } from '../../src/core/index/site-reader.ts';
import { signStatement } from '../../src/publish/statements.ts';
import { verifySite } from '../../src/publish/verify.ts';
import {
  copyFolder,
  createIndex,
  createSecretKey,
  openIndex,
  publicKey,
  secretKey,
  today,
} from '../harness/index-folder.ts';

const key = readSigningKey(secretKey);
const otherKey = readSigningKey(createSecretKey());
const baseUrl = 'https://releases.example.com';
const trust = { publicKey, baseUrl, day: today, maxAgeDays: 3 };
const ofSvc = 'statements/svc.ndjson';

const index = createIndex();
const site = index.out;
// A key that is gone has signed it, in another form.
type Statement = Parameters<typeof signStatement>[0];
type Bundle = ReturnType<typeof signStatement>;

const old = {
  subject: [{ digest: { sha256: 'aa' } }],
  predicate: { id: 'svc/1/2020-01-01', version: '1' },
};
const theirs = `${JSON.stringify(signStatement(old as unknown as Statement, otherKey))}\n`;
index.write('site/statements/svc.ndjson', theirs);
for (const verb of ['build', 'sign']) {
  expect(await index.run(verb)).toMatchObject({ status: 0 });
}

type Damage = (copy: string) => void;

/** Changes the text of a file. */
function edit(copy: string, path: string, change: (text: string) => string): void {
  const file = join(copy, path);
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  expect(after, path).not.toBe(before);
  writeFileSync(file, after);
}

const replace =
  (path: string, from: string | RegExp, to: string): Damage =>
  (copy) =>
    edit(copy, path, (text) => text.replace(from, to));

/** Replaces the first statement about svc by another of this key. */
const restate =
  (change: (statement: Statement) => void): Damage =>
  (copy) =>
    edit(copy, ofSvc, (text) => {
      const [first = '', ...rest] = text.split('\n');
      const { payload } = (JSON.parse(first) as Bundle).dsseEnvelope;
      const statement = JSON.parse(Buffer.from(payload, 'base64').toString()) as Statement;
      change(statement);
      return [JSON.stringify(signStatement(statement, key)), ...rest].join('\n');
    });

const damages: [what: string, fault: string, damage: Damage][] = [
  ['a changed file', 'svc.json: was changed', replace('svc.json', '2026.1', '9')],
  [
    'an added file',
    'more.js: is not listed in SHA256SUMS',
    (copy) => writeFileSync(join(copy, 'more.js'), ''),
  ],
  [
    'a page between statements',
    'statements/evil.html: is not listed in SHA256SUMS',
    (copy) => writeFileSync(join(copy, 'statements/evil.html'), ''),
  ],
  [
    'a device',
    `${ofSvc}: expected a file; got a device`,
    (copy) => {
      rmSync(join(copy, ofSvc));
      symlinkSync('/dev/zero', join(copy, ofSvc));
    },
  ],
  [
    'a changed list',
    'SHA256SUMS.minisig: is not the signature of this file',
    replace('SHA256SUMS', 'svc.json', 'svd.json'),
  ],
  [
    'no list',
    'SHA256SUMS: is missing. Is this the folder or the address of an index?',
    (copy) => rmSync(join(copy, 'SHA256SUMS')),
  ],
  [
    'no signature',
    'SHA256SUMS.minisig: is missing. Nobody vouches for the site',
    (copy) => rmSync(join(copy, 'SHA256SUMS.minisig')),
  ],
  [
    'a statement of another type',
    `${ofSvc}: has a statement that the key did not sign`,
    replace(ofSvc, 'vnd.in-toto+json', 'json'),
  ],
  [
    'a statement that is no JSON',
    `${ofSvc}: has a statement that the key did not sign`,
    replace(ofSvc, '{', ''),
  ],
  [
    'a statement of another component',
    `${ofSvc}: has a statement that the key did not sign for this component of this index`,
    restate(({ predicate }) => (predicate.component = 'edge-node')),
  ],
  [
    'a statement of another index',
    `${ofSvc}: has a statement that the key did not sign for this component of this index`,
    restate((statement) => (statement.predicateType = 'https://example.org/schema/x.json')),
  ],
  ['a missing statement', `${ofSvc}: has no statement about 2025.1.0`, replace(ofSvc, /^.*\n/, '')],
];

test('a signed site holds: its files, and its statements; those by other keys are counted apart', async () => {
  expect(await verifySite(openSite(site), trust)).toEqual({
    asOf: today,
    files: expect.any(Number),
    signature: { baseUrl, events: 0, statements: 12, byOthers: 1 },
  });
  expect(index.read(`dist/${ofSvc}`).endsWith(theirs)).toBe(true);
});

test.each(damages)('a copy with %s is refused: %s', async (_, fault, damage) => {
  const copy = copyFolder(site);
  damage(copy);

  await expect(verifySite(openSite(copy), trust)).rejects.toThrow(
    new RegExp(`^${RegExp.escape(fault)}[^\n]*$`),
  );
});

test.each([
  [{ day: '2026-11-24' }, 'status.json: is of 2026-11-20, not of the 3 days up to 2026-11-24: '],
  [{ day: '2026-11-19' }, 'status.json: is of 2026-11-20, not of the 3 days up to 2026-11-19: '],
  [
    { baseUrl: 'https://trial.example.com' },
    'status.json: is of https://releases.example.com, not of https://trial.example.com. To accept it: --signed-for https://releases.example.com',
  ],
  [{ publicKey: undefined, day: '2030-01-01' }, undefined],
])('%j: %s', async (other, fault) => {
  const problem = await verifySite(openSite(site), { ...trust, ...other }).then(
    () => undefined,
    (error: Error) => error.message.slice(0, fault?.length),
  );

  expect(problem).toBe(fault);
});

test('only statements of components are published, and those that cannot be read stop check and build', async () => {
  const other = openIndex(copyFolder(index.root));
  other.write('site/statements/nobody.ndjson', theirs);
  expect(await other.run('build')).toMatchObject({ status: 0 });
  expect(readdirSync(join(other.out, 'statements'))).toEqual(['svc.ndjson']);

  const fault = `error: site/${ofSvc}: line 2: expected a statement in a DSSE envelope\n`;
  for (const line of ['garbage', '{"dsseEnvelope":{"payload":"e30="}}']) {
    other.write(`site/${ofSvc}`, theirs + line);
    for (const verb of ['check', 'build']) {
      expect(await other.run(verb)).toMatchObject({ status: 1, stderr: fault });
    }
  }
});
