import { expect, test } from 'vitest';
import { listFacts } from '../../../src/ask/query/release-facts.ts';
import { listRows, readComponent } from '../../../src/ask/query/search.ts';
import type { Search, Status } from '../../../src/core/schema/documents.ts';
import {
  findUnpublishedPatterns,
  renderSearch,
  renderStatus,
} from '../../../src/site/documents/components.ts';
import { judgeComponents, type Facts } from '../../harness/components.ts';
import { exampleDay, loadExample } from '../../harness/example.ts';

const readSearch = (index: Parameters<typeof renderSearch>[0]) =>
  Array.from(renderSearch(index), ([path, body]): [string, Search] => [
    path,
    JSON.parse([...(body as Iterable<string>)].join('')) as Search,
  ]);

test('the columns give back each fact of each release', async () => {
  const index = loadExample(exampleDay);
  const status = JSON.parse(renderStatus(index)) as Status;
  const parts = new Map(readSearch(index));
  const readPart = (path: string) => Promise.resolve(parts.get(path)!);

  for (const component of index.components) {
    const expected = listFacts(component, exampleDay);
    const rows = listRows(await readComponent(component.component, status, readPart));

    expect(rows).toHaveLength(expected.length);
    for (const [position, facts] of expected.entries()) {
      const read = Object.keys(facts).map((field) => [field, rows[position]![field]]);
      expect(Object.fromEntries(read)).toEqual(facts);
    }
  }
});

test.each([
  [1, [1]],
  [10, [10]],
  [11, [10, 1]],
  [451, [...Array<number>(41).fill(11)]],
])('%i components are in parts of %j components', (count, sizes) => {
  const names = Array.from({ length: count }, (_, place) => `c${String(place).padStart(3, '0')}`);
  const facts: Facts = { releases: [{ version: '1.0', sources: [] }] };
  const index = judgeComponents(Object.fromEntries(names.map((name) => [name, facts])));
  const parts = readSearch(index);

  expect(parts.map(([path]) => path)).toEqual(sizes.map((_, part) => `search/${part}.json`));
  expect(parts.map(([, { components }]) => Object.keys(components).length)).toEqual(sizes);
  expect(parts.flatMap(([, { components }]) => Object.keys(components))).toEqual(names);
  expect((JSON.parse(renderStatus(index)) as Status).componentsPerPart).toBe(
    Math.max(10, sizes[0]!),
  );
});

const npm = { datasource: 'npm', packageName: 'agent' };
const slow = String.raw`^(?<version>(\d+)+)$`;

test('the status of a component has its names, packages and fields', () => {
  const index = judgeComponents({
    agent: {
      definition: {
        title: 'Agent',
        aliases: ['the agent', 'pkg:pypi/agent'],
        renamedFrom: ['old'],
        sourceRepository: 'https://github.com/example/agent',
        sources: [
          npm,
          { datasource: 'docker', packageName: 'team/agent', extractVersion: '^v(?<version>.+)$' },
        ],
      },
      releases: { '1.0': '2026-01-01', '1.1': '2026-02-01' },
    },
    plain: {},
  });
  const { components, ...head } = JSON.parse(renderStatus(index)) as Status;

  expect(head).toMatchObject({
    ...{ asOf: '2026-11-27', url: 'https://releases.example.com', staleAfterDays: 3 },
    ...{ events: 0, journals: {}, runs: 0, componentsPerPart: 10 },
    years: { builds: [], changes: [] },
  });
  expect(components).toMatchObject({
    agent: {
      title: 'Agent',
      aliases: ['old', 'the agent', 'pkg:pypi/agent'],
      packages: [
        { purl: 'pkg:npm/agent' },
        { purl: 'pkg:docker/team/agent', extractVersion: '^v(?<version>.+)$' },
        { purl: 'pkg:pypi/agent' },
      ],
      fields: {
        policy: 'none',
        datasource: ['npm', 'docker'],
        package: ['agent', 'team/agent'],
        repository: 'https://github.com/example/agent',
      },
      ...{ latest: '1.1', releases: 2, state: 'stale' },
    },
    plain: {
      title: 'The plain',
      fields: { datasource: [], package: [] },
      releases: 0,
      state: 'static',
    },
  });
  expect(Object.keys(components['plain']!)).not.toContain('aliases');
  expect(Object.keys(components['plain']!)).not.toContain('packages');
});

test('a pattern that may be slow is left out, and reported', () => {
  const index = judgeComponents({
    agent: { definition: { sources: [{ ...npm, extractVersion: slow }] } },
    plain: { definition: { sources: [npm] } },
  });
  const { components } = JSON.parse(renderStatus(index)) as Status;

  expect(components['agent']!.packages).toEqual([{ purl: 'pkg:npm/agent', extractVersion: '' }]);
  expect([...findUnpublishedPatterns(index)]).toEqual([
    {
      ...{ level: 'notice', subject: 'agent' },
      message: `extractVersion ${JSON.stringify(slow)} is not published: JavaScript cannot run it safely`,
    },
  ]);
});
