import { expect, test } from 'vitest';
import { checkComponentNames } from '../../src/site/component-names.ts';
import { definition } from '../harness/root.ts';

test.each(['other', 'Other', 'pkg:generic/other'])(
  'the alias %s of another component is found even if the definition of that one is invalid',
  (alias) => {
    const value = { ...definition(), aliases: [alias] };
    const definitions = new Map([
      ['svc', { value, findings: [] }],
      ['other', { value: undefined, findings: [] }],
    ]);

    expect(checkComponentNames(definitions as never)).toMatchObject([
      {
        subject: 'components/svc.json',
        message: `aliases[0]: expected a name of no other component; got "${alias}", which components/other.json has`,
      },
    ]);
  },
);

test('a former name that is repeated or the present name is found, and the message names no other component', () => {
  const value = { ...definition(), renamedFrom: ['old', 'svc', 'old'] };
  const definitions = new Map([['svc', { value, findings: [] }]]);

  expect(checkComponentNames(definitions as never).map(({ message }) => message)).toEqual([
    'renamedFrom[1]: expected each former name once, without the present one; got "svc"',
    'renamedFrom[2]: expected each former name once, without the present one; got "old"',
  ]);
});
