import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeSettingChanges } from '../../../src/deliver/check/setting-changes.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { checkout } from '../../harness/checkout.ts';
import { makeRoot, temporaryFolder, writeIn } from '../../harness/root.ts';

function compareAccess(before: object, after: object): string[] {
  const [base, head] = [before, after].map((access) =>
    openRoot(makeRoot({ 'site/access.json': access }), checkout),
  );
  return describeSettingChanges(base!, head!);
}

test.each<[before: object, after: object, text: string]>([
  [{}, { permissions: [] }, 'permissions is [] (before: none)'],
  [{ permissions: [] }, {}, 'permissions is none (before: [])'],
  [{ permissions: ['mcp'] }, { permissions: [] }, 'permissions[0] is none (before: "mcp")'],
  [{ permissions: null }, {}, 'permissions is none (before: null)'],
  [{}, { rule: { open: true } }, 'rule.open is true (before: none)'],
  [{ rule: 'a' }, { rule: { open: true } }, 'rule is {"open":true} (before: "a")'],
])('an access rule %j that becomes %j is named', (before, after, text) => {
  expect(compareAccess(before, after)).toEqual([`site/access.json: ${text}.`]);
});

test.each<[before: unknown, after: unknown, key: string]>([
  [{ keys: [{ d: 'old' }] }, { keys: [{ d: 'secret' }] }, 'jwkSet.keys[0].d'],
  [undefined, { keys: [{ d: 'secret' }] }, 'jwkSet.keys[0].d'],
  [undefined, '{"keys":[{"d":"secret"}]}', 'jwkSet'],
])('a key set %j that becomes %j is named without its values', (before, after, key) => {
  expect(
    compareAccess({ issuers: [{ jwkSet: before }] }, { issuers: [{ jwkSet: after }] }),
  ).toEqual([`site/access.json: issuers[0].${key} has changed.`]);
});

test.each([
  ['{"title":', '{"title":"A"}'],
  ['{"title":"A"}', '{"title":'],
])('settings %j that become %j are not called absent', (before, after) => {
  const [base, head] = [before, after].map((text) =>
    openRoot(makeRoot({ 'site/access.json': text }), checkout),
  );

  expect(describeSettingChanges(base!, head!)).toEqual([
    'site/access.json: one of the two states cannot be read, so any key may differ.',
  ]);
});

test.each([
  '//npm.example.com/:_authToken npm_secret\n',
  String.raw`"//npm.example.com/:_authToken\n\nnpm_secret"` + '\n',
])('a line %j of npm without an equals sign shows no credential', (credential) => {
  const base = openRoot(makeRoot({ 'site/access.json': {} }), checkout);
  const head = openRoot(makeRoot({ 'site/access.json': {}, '.npmrc': credential }), checkout);

  expect(describeSettingChanges(base, head)).toEqual([
    '.npmrc: //npm.example.com/:_authToken has changed.',
  ]);
});

test('a token of npm on a line of its own is not shown', () => {
  const base = openRoot(makeRoot({ 'site/access.json': {} }), checkout);
  const settings = 'npm_secretToken123\n@acme:registry=https://npm.example.com\nstrict-ssl=false\n';
  const head = openRoot(makeRoot({ 'site/access.json': {}, '.npmrc': settings }), checkout);

  expect(describeSettingChanges(base, head)).toEqual([
    '.npmrc: a line has changed.',
    '.npmrc: @acme:registry has changed.',
    '.npmrc: strict-ssl has changed.',
  ]);
});

function linkToSecret(path: string): void {
  const folder = temporaryFolder();
  writeIn(folder, 'token', 'npm_secret\n');
  symlinkSync(join(folder, 'token'), path);
}

test.each([
  ['a link', linkToSecret],
  ['a folder', (path: string) => mkdirSync(path)],
])('%s in place of the configuration of npm is not read', (_, make) => {
  const base = openRoot(makeRoot({ 'site/access.json': {} }), checkout);
  const head = openRoot(makeRoot({ 'site/access.json': {} }), checkout);
  make(join(head.dir, '.npmrc'));

  expect(describeSettingChanges(base, head)).toEqual([
    '.npmrc: one of the two states cannot be read, so any key may differ.',
  ]);
});
