import { expect, test } from 'vitest';
import { rangeProblem } from '../../../src/core/range-forms.ts';
import { linesOf, runCli } from '../../harness/cli.ts';
import { definition, makeRoot, readJsonIn } from '../../harness/root.ts';

const recorded = { releases: [{ version: '1.0.0' }, { version: '1.1.0' }, { version: '2.1.0' }] };

test.each(['>=1.0.0 <2.O.0', '>= 1 < 2 banana', '<1.2.0, >=2.1'])(
  '%s is no range: nothing is gathered, built or deprecated by the part that can be read',
  async (versions) => {
    const root = makeRoot({
      'components/svc.json': definition({ deprecated: [{ versions, reason: 'A hole in 1.x' }] }),
      'components/tool.json': definition({
        sources: [{ datasource: 'static', releases: [{ version: '1.0.0' }], allowedVersions: versions }],
      }),
      'data/svc.json': recorded,
    });
    const expected = rangeProblem(versions);
    const example = 'semver range such as ">=1.2.0 <2.0.0"';
    const wrong = [
      `error: components/svc.json: deprecated[0].versions: ${expected}; got "${versions}"`,
      `error: components/tool.json: sources[0].allowedVersions: expected /regex/, !/regex/ or a ${example}; got "${versions}"`,
    ];

    for (const verb of ['check', 'build', 'gather']) {
      const { status, stderr } = await runCli([verb, '--root', root]);

      expect(status, verb).toBe(1);
      expect(linesOf(stderr), verb).toEqual(expect.arrayContaining(wrong));
    }
  },
);

test('a valid range deprecates its versions only', async () => {
  const root = makeRoot({
    'components/svc.json': definition({
      deprecated: [{ versions: '>=1.0.0 <2.0.0', reason: 'A hole in 1.x' }],
    }),
    'data/svc.json': recorded,
  });

  const { status } = await runCli(['build', '--root', root]);

  expect(status).toBe(0);
  const { releases } = readJsonIn<{ releases: object[] }>(root, 'dist/svc.json');
  expect(releases).toMatchObject([{ isDeprecated: true }, { isDeprecated: true }, { isDeprecated: false }]);
});
