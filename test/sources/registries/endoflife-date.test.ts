import { expect, test } from 'vitest';
import { askLines } from '../../harness/ask-source.ts';
import { json } from '../../harness/upstream.ts';

test.each([
  ['24', null, '2024', '2024'],
  ['23', null, '26ai', '26ai'],
  ['13.0', null, '2016 SP3', '2016 SP3'],
  ['6000.5', null, '6.5', '6.5'],
  ['16.0', 'Dallas', "2022 'Dallas'", '2022'],
  ['3.1', null, 'Core 3.1', 'Core 3.1'],
  ['8', null, 'OpenJDK 8 (1.8)', 'OpenJDK 8'],
  // These labels only add words after the name, or contain the codename.
  ['24', null, '24', undefined],
  ['9.4', null, '9.4 LTS', undefined],
  ['13', 'Trixie', 'Trixie - 13', undefined],
  ['20', null, "20 (<abbr title='Short Term Support'>STS</abbr>)", undefined],
  ['22.04', 'Jammy Jellyfish', "22.04 'Jammy Jellyfish' (LTS)", undefined],
  ['17.0', 'Hamilton', 'Hamilton', undefined],
  ['24', null, null, undefined],
  ['24', null, 2024, undefined],
])('the line %j with the codename %j and the label %j has the alias %j', async (...row) => {
  const [name, codename, label, alias] = row;
  const release = { name, codename, label, isEol: false, eolFrom: '2099-01-01' };
  const lines = await askLines(
    (url) => ({ datasource: 'endoflife-date', product: 'svc', registryUrl: `${url}api/` }),
    { documents: { '/api/v1/products/svc': json({ result: { releases: [release] } }) } },
  );
  expect(lines).toMatchObject([{ line: name }]);
  expect(lines[0]!.alias).toBe(alias);
});

test.each<[keys: object, phases: object[]]>([
  [{ isEol: false, eolFrom: '2099-01-01' }, [{ name: 'support', until: '2099-01-01' }]],
  [{ isEol: true, eolFrom: null }, [{ name: 'support', isOver: true }]],
  [
    { isEoas: false, eoasFrom: '2098-01-01', isEol: false, eolFrom: '2099-01-01' },
    [
      { name: 'active', until: '2098-01-01' },
      { name: 'security', until: '2099-01-01' },
    ],
  ],
  [
    { isEoas: true, isEol: false, isEoes: false, eoesFrom: '2100-01-01' },
    [{ name: 'active', isOver: true }, { name: 'security' }, { until: '2100-01-01' }],
  ],
])('a line with %j has these phases', async (keys, phases) => {
  const [line] = await askLines(
    (url) => ({ datasource: 'endoflife-date', product: 'svc', registryUrl: `${url}api/` }),
    {
      documents: {
        '/api/v1/products/svc': json({ result: { releases: [{ name: '1', ...keys }] } }),
      },
    },
  );

  expect(line!.phases).toMatchObject(phases);
  expect(line!.phases).toHaveLength(phases.length);
});
