import { expect, test } from 'vitest';
import { describeSettingChanges } from '../../../src/deliver/check/setting-changes.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { checkout } from '../../harness/checkout.ts';
import { makeRoot } from '../../harness/root.ts';

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
