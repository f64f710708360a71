import { join } from 'node:path';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import { expect, test } from 'vitest';
import { readTrustedRoot } from '../../src/io/trusted-root.ts';
import { temporaryFolder, writeIn } from '../harness/root.ts';

test('the file of the environment takes the place of the trusted root that the program ships', () => {
  const shipped = readTrustedRoot({});
  const folder = temporaryFolder();
  const certificateAuthorities = shipped.certificateAuthorities.slice(0, 1);
  writeIn(folder, 'root.json', TrustedRoot.toJSON({ ...shipped, certificateAuthorities }));
  const env = { RELEASE_INDEX_TRUSTED_ROOT: join(folder, 'root.json') };

  expect(shipped.certificateAuthorities.length).toBeGreaterThan(1);
  expect(readTrustedRoot(env)).toEqual({ ...shipped, certificateAuthorities });
});

test('the shipped trusted root has keys and authorities of each kind that hold for another month', () => {
  const root = readTrustedRoot({});
  const inAMonth = Date.now() + 31 * 86_400_000;
  const holds = (end: Date | undefined) => end === undefined || end.getTime() > inAMonth;

  for (const logs of [root.tlogs, root.ctlogs]) {
    expect(logs.some(({ publicKey }) => holds(publicKey?.validFor?.end))).toBe(true);
  }
  for (const authorities of [root.certificateAuthorities, root.timestampAuthorities]) {
    expect(authorities.some(({ validFor }) => holds(validFor?.end))).toBe(true);
  }
});
