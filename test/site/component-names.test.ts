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
