import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findSignatureProblem, readSigningKey, signFile } from '../../src/publish/minisign.ts';
import { createFolder, publicKey, secretKey } from '../harness/index-folder.ts';
import { createSecretKey } from '../harness/minisign-keys.ts';
import { lacks, requireProgram } from '../harness/programs.ts';

const body = Buffer.from('a list\n');
const key = readSigningKey(secretKey);
const signature = signFile(body, key, 'a comment');

test.skipIf(lacks('minisign'))(
  "our signatures and minisign's are the same, and each verifies the other's",
  () => {
    const folder = createFolder();
    const [secretFile, publicFile, file] = ['key.sec', 'key.pub', 'list'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    execFileSync(requireProgram('minisign'), ['-G', '-W', '-s', secretFile, '-p', publicFile], {
      stdio: 'ignore',
    });
    writeFileSync(file, body);
    const own = readSigningKey(readFileSync(secretFile, 'utf8'));

    execFileSync(requireProgram('minisign'), ['-S', '-s', secretFile, '-m', file, '-t', 'theirs'], {
      stdio: 'ignore',
    });
    const theirs = readFileSync(`${file}.minisig`, 'utf8');

    expect(readFileSync(publicFile, 'utf8')).toContain(`\n${own.publicKey}\n`);
    expect(findSignatureProblem(body, theirs, own.publicKey)).toBeUndefined();
    // Signing is deterministic, so the two signatures differ only in the comment of the first line.
    expect(signFile(body, own, 'theirs').split('\n').slice(1)).toEqual(theirs.split('\n').slice(1));
  },
);

test.each<[title: string, text: string, problem: string]>([
  ['a valid signature', signature, ''],
  [
    'a changed comment',
    signature.replace('a comment', 'b'),
    'has a comment that the key did not sign',
  ],
  [
    'a cut signature',
    signature.replace(/^.*\n(RU.*)\n/, (line) => line.replace(/.{4}\n$/, '\n')),
    'is not a signature of minisign',
  ],
  [
    'an older signature format',
    signature.replace(/\nRU/, '\nRW'),
    'is not a signature of minisign',
  ],
  [
    'a signature of another file',
    signFile(Buffer.from('x'), key, 'a comment'),
    'is not the signature of this file',
  ],
  [
    'a signature by another key',
    signFile(body, readSigningKey(createSecretKey()), 'a comment'),
    'is by the key ',
  ],
])(
  'verification accepts only a valid signature, and names the problem of %s: "%s"',
  (_, text, problem) => {
    const result = findSignatureProblem(body, text, publicKey) ?? '';

    expect(result.slice(0, Math.max(problem.length, 1))).toBe(problem);
  },
);

test.each<[title: string, change: (bytes: Buffer) => Buffer, message: string]>([
  ['a key of another kind', (bytes) => bytes.fill(0, 0, 2), 'is not a secret key of minisign'],
  ['a cut key', (bytes) => bytes.subarray(0, -1), 'is not a secret key of minisign'],
  [
    'a longer key',
    (bytes) => Buffer.concat([bytes, Buffer.of(0)]),
    'is not a secret key of minisign',
  ],
  ['a key with a password', (bytes) => bytes.fill('Sc', 2, 4), 'is protected by a password'],
  ['a damaged key', (bytes) => bytes.fill(1, 62, 94), 'is damaged: its two halves'],
])('readSigningKey rejects %s without printing it', (_, change, message) => {
  const text = change(Buffer.from(secretKey.split('\n')[1]!, 'base64')).toString('base64');

  expect(() => readSigningKey(text)).toThrow(message);
  expect(() => readSigningKey(text)).not.toThrow(text.slice(0, 20));
});
