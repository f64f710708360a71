import { describe, expect, it } from 'vitest';
import type { SupportSource } from '../../../src/core/schemas/definition/source.ts';
import { FullDefinition } from '../../../src/record/read-definition.ts';
import { ask, askLines, json } from '../../harness/asking.ts';
import { definition } from '../../harness/root.ts';

const product = (url: string): SupportSource => ({
  datasource: 'endoflife-date',
  product: 'tool',
  registryUrl: `${url}api/`,
});
const cycle = (name: string, more: object = {}) => ({
  name,
  isLts: false,
  ltsFrom: null,
  isEol: false,
  eolFrom: null,
  ...more,
});
const cycles = (...releases: object[]) => ({
  documents: { '/api/v1/products/tool': json({ result: { name: 'tool', releases } }) },
});

describe('endoflife-date', () => {
  it('endoflife-date states the last day of each phase', async () => {
    const { lines, about } = await askLines(
      product,
      cycles(
        cycle('22', {
          releaseDate: '2024-04-24',
          isLts: true,
          ltsFrom: '2024-10-29',
          isEoas: true,
          eoasFrom: '2025-10-21',
          eolFrom: '2028-02-28',
          isEoes: false,
          eoesFrom: '2030-12-31',
        }),
      ),
    );

    expect(about).toBeUndefined();
    expect(lines).toEqual([
      {
        line: '22',
        firstReleaseDate: '2024-04-24',
        lts: '2024-10-30',
        phases: [
          { name: 'active', until: '2025-10-21' },
          { name: 'security', until: '2028-02-28' },
          { name: 'extended', until: '2030-12-31', paid: true },
        ],
      },
    ]);
  });

  it.each([
    ['that runs without a known end', {}, [{ name: 'support' }]],
    ['that is over since nobody says when', { isEol: true }, [{ name: 'support', isOver: true }]],
    [
      'whose first phase is over since nobody says when',
      { isEoas: true, eoasFrom: null },
      [{ name: 'active', isOver: true }, { name: 'security' }],
    ],
    ['that nobody can pay for', { isEoes: null, eoesFrom: null }, [{ name: 'support' }]],
  ])('endoflife-date reads a cycle %s', async (_, more, phases) => {
    const { lines } = await askLines(product, cycles(cycle('1.0', more)));

    expect(lines).toEqual([{ line: '1.0', phases }]);
  });

  const outOfOrder = cycle('1', { isEoas: false, eoasFrom: '2027-01-01', eolFrom: '2026-01-01' });

  it('endoflife-date skips and reports cycles that are not release lines, or with phases out of order', async () => {
    const { lines, skipped } = await askLines(
      product,
      cycles(cycle('2'), cycle('11-24h2-w'), outOfOrder),
    );

    expect(lines.map(({ line }) => line)).toEqual(['2']);
    expect(skipped).toEqual([
      expect.stringMatching(/entry 2 \("11-24h2-w"\): .* Skipped 2 of 3 entries\.$/),
    ]);
    await expect(askLines(product, cycles(outOfOrder))).rejects.toThrow(
      /entry 1 \("1"\): .*expected security to end no earlier than active, on 2027-01-01; got 2026-01-01/,
    );
  });

  it('endoflife-date treats older releases of a cycle as listed, but not those newer than the latest', async () => {
    const latest = (name: string, version: string) =>
      cycle(name, { latest: { name: version, date: '2026-01-01', link: null } });
    const { releases, offered } = await ask(
      (url) => ({ datasource: 'endoflife-date', packageName: 'tool', registryUrl: `${url}api/` }),
      {
        ...cycles(latest('17', '17.7'), latest('9.6', '9.6.24'), cycle('8')),
        listedBefore: ['9.6.23', '17.6', '17.8', '16.1'],
      },
    );

    expect(releases.map(({ version }) => version)).toEqual(['17.7', '9.6.24', '8']);
    expect(offered.map(([version]) => version)).toEqual(['9.6.23', '17.6', '17.7', '9.6.24', '8']);
  });

  it('endoflife-date treats the releases of a cycle whose latest one cannot be read as listed', async () => {
    const latest = (name: string, version: unknown) => cycle(name, { latest: { name: version } });
    const { offered } = await ask(
      (url) => ({ datasource: 'endoflife-date', packageName: 'tool', registryUrl: `${url}api/` }),
      {
        ...cycles(latest('17', '17.7'), latest('16', 16.4), cycle('8')),
        listedBefore: ['16.3', '8.1', '7.2'],
      },
    );

    expect(offered.map(([version]) => version)).toEqual(['16.3', '8.1', '16', '17.7', '8']);
  });

  it.each([
    ['of three groups', { '1.1.1': '1.1.1w', '1.1.0': '1.1.0l' }, ['1.1.1v', '1.1.1x'], ['1.1.1v']],
    ['that differ in a suffix', { '12-lts': '12.2', '12': '12.5' }, ['12.4', '12.6'], ['12.4']],
    ['without digits', { 'esr-115': '115.9.0esr' }, ['115.8.0esr', '116'], ['115.8.0esr']],
  ])(
    'endoflife-date treats older releases of cycles with names %s as listed',
    async (_, byCycle, listedBefore, older) => {
      const listed = Object.entries(byCycle).map(([name, version]) =>
        cycle(name, { latest: { name: version } }),
      );
      const { releases, offered } = await ask(
        (url) => ({ datasource: 'endoflife-date', packageName: 'tool', registryUrl: `${url}api/` }),
        { ...cycles(...listed), listedBefore },
      );

      const latest = releases.map(({ version }) => version);
      expect(offered.map(([version]) => version)).toEqual([...older, ...latest]);
    },
  );

  it('endoflife-date skips and reports a cycle whose name is an object', async () => {
    const { releases, skipped } = await ask(
      (url) => ({ datasource: 'endoflife-date', packageName: 'tool', registryUrl: `${url}api/` }),
      cycles(cycle('8'), { name: { toString: 1 } }),
    );

    expect(releases.map(({ version }) => version)).toEqual(['8']);
    expect(skipped).toEqual([expect.stringMatching(/entry 2: .* Skipped 1 of 2 entries\.$/)]);
  });
});

describe('json', () => {
  const asked = (document: unknown, transform: string) =>
    askLines((url) => ({ datasource: 'json', url: `${url}x.json`, transform }), {
      documents: { '/x.json': json(document) },
    });

  it('json reads the schedule of Node.js by an expression', async () => {
    const { lines } = await asked(
      {
        v22: {
          start: '2024-04-24',
          lts: '2024-10-29',
          maintenance: '2025-10-21',
          end: '2027-04-30',
        },
        v23: { start: '2024-10-16', maintenance: '2025-04-01', end: '2025-06-01' },
      },
      `{"lines": $each($, function($plan, $name) {{
        "line": $substring($name, 1),
        "firstReleaseDate": $plan.start,
        "lts": $exists($plan.lts) ? $plan.lts : false,
        "phases": {"active": $plan.maintenance, "maintenance": $plan.end, "extended": {"until": "2029-01-01", "paid": true}}
      }})}`,
    );

    expect(lines).toEqual([
      {
        line: '22',
        firstReleaseDate: '2024-04-24',
        lts: '2024-10-29',
        phases: [
          { name: 'active', until: '2025-10-21' },
          { name: 'maintenance', until: '2027-04-30' },
          { name: 'extended', until: '2029-01-01', paid: true },
        ],
      },
      expect.objectContaining({ line: '23' }),
    ]);
    expect(lines[1]).not.toHaveProperty('lts');
  });

  it.each([
    ['{"releases": []}', /transform: expected lines; got \{"releases":\[\]\}/],
    ['{"lines": []}', /lists no release line/],
    ['{"lines": absent.{"line": name}}', /transform: expected lines; got \{\}/],
    ['absent', /transform: expected lines; got undefined/],
    ['[{"line": "1.0"}]', /transform: expected lines; got \[\{"line":"1\.0"\}\]/],
    ['{"lines": [{"line": "1.0", "phases": {}}]}', /None of its 1 entries can be read/],
    [
      '{"lines": [{"line": "1.0", "phases": {"support": "soon"}}]}',
      /None of its 1 entries can be read/,
    ],
    [
      '{"lines": [{"line": "1.0", "phases": {"Full support": "2027-01-01"}}]}',
      /phases\["Full support"\]: expected up to 40 .+; got the key "Full support"/,
    ],
    [
      '{"lines": [{"line": "1.0", "phases": {"x": {"until": "2027-01-01", "paid": true}}}]}',
      /expected a first phase that is not paid; got only paid phases/,
    ],
    [
      '{"lines": [{"line": "1.0", "phases": {"a": "2027-01-01", "b": {}, "c": "2026-01-01"}}]}',
      /expected c to end no earlier than a, on 2027-01-01; got 2026-01-01/,
    ],
  ])('json says why nothing is taken of %s', async (transform, message) => {
    await expect(asked({}, transform)).rejects.toThrow(message);
  });
});

it.each([
  [{ datasource: 'endoflife-date', product: '../etc' }, /expected the name of a product/],
  [
    { datasource: 'json', url: 'https://example.com/', transform: 'items.(' },
    /expected an expression of JSONata/,
  ],
  [{ datasource: 'npm', packageName: 'x' }, /./],
])('a definition cannot name %j', (source, message) => {
  const parsed = FullDefinition.safeParse(definition({ support: { policy: 'stated', source } }));

  expect(parsed.error?.issues.map((issue) => issue.message).join()).toMatch(message);
});
