import { expect, test } from 'vitest';
import { askLines } from '../../harness/ask-source.ts';
import { json } from '../../harness/upstream.ts';

const askCycles = (releases: object[], labels?: object) =>
  askLines(
    (url) => ({ datasource: 'endoflife-date', product: 'tool', registryUrl: `${url}api/` }),
    { documents: { '/api/v1/products/tool': json({ result: { labels, releases } }) } },
  );

test.each<[string, object, object]>([
  [
    'one end',
    { isEol: false, eolFrom: '2027-12-31', releaseDate: '2025-01-10' },
    { since: '2025-01-10', phases: [{ name: 'support', until: '2027-12-31' }] },
  ],
  ['support that is over', { isEol: true }, { phases: [{ name: 'support', isOver: true }] }],
  [
    'active, security and extended support',
    {
      isEoas: true,
      eoasFrom: '2025-06-30',
      isEol: false,
      eolFrom: '2026-12-31',
      isEoes: false,
      eoesFrom: '2029-12-31',
    },
    {
      phases: [
        { name: 'active', until: '2025-06-30' },
        { name: 'security', until: '2026-12-31' },
        { name: 'extended', until: '2029-12-31', paid: true },
      ],
    },
  ],
  // The day before it begins, as upstream states it.
  [
    'long-term support later',
    { isEol: false, isLts: false, ltsFrom: '2025-10-27' },
    { lts: '2025-10-28', phases: [{ name: 'support' }] },
  ],
  [
    'long-term support',
    { isEol: false, isLts: true },
    { lts: true, phases: [{ name: 'support' }] },
  ],
])('endoflife-date reads a cycle with %s', async (_, cycle, expected) => {
  expect(await askCycles([{ name: '8', ...cycle }])).toEqual([{ line: '8', ...expected }]);
});

// Labels of Debian, Ubuntu, Oracle's JDK, Windows Server; of a product without one.
test.each([
  ['Debian LTS', 'lts', undefined],
  ['Expanded Security Maintenance', 'extended', true],
  ['Extended LTS (commercial)', 'extended', true],
  [null, 'extended', true],
])('endoflife-date reads what a product calls %s as the phase %s', async (eoes, name, paid) => {
  const cycle = { name: '12', isEol: true, isEoes: false, eoesFrom: '2028-06-30' };
  const lines = await askCycles([cycle], { eoes });

  expect(lines[0]?.phases[1]).toEqual({ name, until: '2028-06-30', ...(paid && { paid }) });
});

test('endoflife-date lists a line once, and skips a cycle that cannot be read', async () => {
  const lines = await askCycles([
    { name: '8', isEol: true },
    { name: '8', isEol: false },
    { name: 'Gingerbread', isEol: true },
  ]);

  expect(lines).toEqual([{ line: '8', phases: [{ name: 'support' }] }]);
});
