import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseDigests } from '../../src/core/sha256sums.ts';
import { readSigningKey } from '../../src/publish/minisign.ts';
import { describeReleases, signStatement } from '../../src/publish/release-statements.ts';
import { chooseSigningKey } from '../../src/publish/sign.ts';
import { sha256 } from '../../src/core/files.ts';
import { baseUrl, createIndex, publicKey, secretKey } from '../harness/index-folder.ts';
import { createSecretKey } from '../harness/minisign-keys.ts';

const variable = 'RELEASE_INDEX_SIGNING_KEY';
const other = createSecretKey();

test.each<[secret: string | undefined, promised: string | undefined, outcome: string]>([
  [undefined, undefined, 'no key'],
  [' ', undefined, 'no key'],
  [`\n${secretKey}\n`, publicKey, publicKey],
  [
    undefined,
    publicKey,
    `${variable} is missing, but site/site.json promises a signature ("signingPublicKey"). Set it to the content of the secret key file`,
  ],
  [
    secretKey,
    undefined,
    `site/site.json: expected "signingPublicKey": "${publicKey}", the key of ${variable}; got none`,
  ],
  [
    secretKey,
    readSigningKey(other).publicKey,
    `site/site.json: expected "signingPublicKey": "${publicKey}", the key of ${variable}; got ${readSigningKey(other).publicKey}`,
  ],
])('the key is chosen, case %#', (secret, signingPublicKey, outcome) => {
  const choose = () => chooseSigningKey({ [variable]: secret }, { signingPublicKey } as never);

  if (outcome.includes(' is missing') || outcome.includes('expected')) {
    expect(choose).toThrow(outcome);
  } else {
    expect(choose()?.publicKey ?? 'no key').toBe(outcome);
  }
});

/** Signs a statement about svc 2026.1.4 with another key. */
function signElsewhere(secret: string): string {
  const [statement] = describeReleases(
    {
      component: 'svc',
      packages: ['pkg:npm/svc'],
      releases: [
        {
          version: '2026.1.4',
          line: '2026.1',
          isDeprecated: false,
          digests: [`sha256:${'4'.repeat(64)}`],
        },
      ],
    } as never,
    baseUrl,
  );
  return `${JSON.stringify(signStatement(statement!, readSigningKey(secret)))}\n`;
}

async function createBuilt(statements?: string) {
  const index = createIndex();
  if (statements !== undefined) {
    index.write('site/statements/svc.ndjson', statements);
  }
  await index.prepare('build');
  return index;
}

test('a site has a statement for each release with a digest, and lists it in SHA256SUMS', async () => {
  const index = await createBuilt();

  const { stdout } = await index.run('sign', '--json');

  // The former name edge has a file of its own.
  expect(JSON.parse(stdout)).toMatchObject({ publicKey, statements: 12 });
  const listed = parseDigests(index.read('dist/SHA256SUMS'));
  expect([...listed.keys()].filter((path) => path.startsWith('statements/'))).toEqual(
    ['edge-node', 'edge', 'svc'].map((name) => `statements/${name}.ndjson`),
  );
  for (const [path, digest] of listed) {
    expect([path, digest]).toEqual([path, sha256(index.read(`dist/${path}`))]);
  }
  expect(index.read('dist/SHA256SUMS.minisig')).toMatch(
    /^trusted comment: SHA256SUMS of https:\/\/releases\.example\.com as of 2026-11-20 with 0 events$/m,
  );
});

test('a site that is signed again has no statement twice', async () => {
  const index = await createBuilt();
  await index.prepare('sign');
  const before = index.read('dist/statements/svc.ndjson');

  await index.prepare('sign');

  expect(index.read('dist/statements/svc.ndjson')).toBe(before);
  expect(before.split('\n')).toHaveLength(11);
});

test('statements of other keys come after those of the index', async () => {
  const given = signElsewhere(other);
  const index = await createBuilt(given);

  await index.prepare('sign');

  const lines = index.read('dist/statements/svc.ndjson').split(/(?<=\n)/);
  expect(lines).toHaveLength(11);
  expect(lines.at(-1)).toBe(given);
});

test('a statement of the own key in site/statements/ is rejected, and nothing is signed', async () => {
  const index = await createBuilt(signElsewhere(secretKey));
  const before = index.read('dist/SHA256SUMS');

  const { status, stderr } = await index.run('sign');

  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining(
      'site/statements/svc.ndjson has a statement that the key of this index signed, perhaps long ago. Remove it',
    ),
  ]);
  expect(index.read('dist/SHA256SUMS')).toBe(before);
  expect(existsSync(join(index.out, 'SHA256SUMS.minisig'))).toBe(false);
});
