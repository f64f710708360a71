import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFiles, openSiteApi, type Ask } from '../../harness/api.ts';
import { baseUrl } from '../../harness/index-folder.ts';
import { buildExample } from '../../harness/site.ts';

const site = buildExample();
const api = openSiteApi(site);
const readJson = (path: string) => JSON.parse(readFileSync(join(site, path), 'utf8')) as never;

async function read<T>(path: string, ask: Ask = api): Promise<T> {
  const answer = await ask(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return (await answer.json()) as T;
}

async function readProblem(path: string, ask: Ask = api): Promise<[number, string]> {
  const answer = await ask(path);
  const { detail } = (await answer.json()) as { detail: string };
  return [answer.status, detail];
}

test('all components are listed with their freshness, without the fields of queries', async () => {
  const { components } = readJson('status.json') as { components: Record<string, object> };
  const expected = Object.entries(components).map(([component, status]) => {
    return { component, ...status, fields: undefined };
  });

  expect(await read('/api/components')).toEqual(expected);
});

test.each(['svc', 'Develocity server', 'pkg:helm/gradle-enterprise-standalone'])(
  'the component %s has the facts of its document, without releases',
  async (name) => {
    const { releases: _, ...facts } = readJson('details/svc.json') as { releases: object };

    expect(await read(`/api/components/${encodeURIComponent(name)}`)).toEqual(facts);
  },
);

test('a line is found under its name, with and without ".json" in it', async () => {
  const [{ cycle, ...facts }] = readJson('api/svc.json') as [{ cycle: string }];

  expect(await read(`/api/svc/${cycle}.json`)).toEqual(facts);
});

/** Opens an index whose product `svc` has these lines in the format of endoflife.date, the newest first. */
function openProduct(lines: readonly object[]): Ask {
  return openSiteApi(
    openFiles(
      {
        'api/v1/products/svc': {
          ...{ schema_version: '1.2.0', generated_at: '2026-11-20T00:00:00Z', last_modified: 'x' },
          result: { name: 'svc', releases: lines },
        },
      },
      site,
    ),
  );
}

const lines = [
  { name: '4', releaseDate: '2026-11-28' },
  { name: '3', releaseDate: '2026-11-27' },
  { name: '2' },
];

test.each([
  ['4', '4'],
  ['2', '2'],
  // The index was built as of 27 November.
  ['latest', '3'],
])('the line "%s" of a product is the line %s', async (release, name) => {
  const path = `/api/v1/products/svc/releases/${release}`;

  expect(await read(path, openProduct(lines))).toEqual({
    schema_version: '1.2.0',
    generated_at: '2026-11-20T00:00:00Z',
    result: lines.find((line) => line.name === name),
  });
});

test('the latest line may have no day', async () => {
  const ask = openProduct(lines.filter(({ name }) => name !== '3'));

  expect(await read('/api/v1/products/svc/releases/latest', ask)).toMatchObject({
    result: { name: '2' },
  });
});

test.each([
  ['/api/v1/products/svc/releases/9', 'svc 9'],
  ['/api/v1/products/nothing/releases/latest', 'nothing latest'],
  ['/api/svc/9.json', 'svc 9'],
])('%s is answered with 404', async (path, name) => {
  expect(await readProblem(path)).toEqual([
    404,
    `The index gives no end of support for "${name}". api/all.json lists all components with ends.`,
  ]);
});

interface Row {
  component: string;
  version: string;
  availableAt?: string;
}

/** Opens an index with three releases. It is unknown when the run that recorded 1.0 ended. */
const recorded = openSiteApi(
  openFiles(
    {
      'status.json': {
        asOf: '2026-11-20',
        staleAfterDays: 1_000_000,
        componentsPerPart: 10,
        components: { svc: { title: 'Server' } },
      },
      'search/0.json': {
        components: {
          svc: {
            size: 3,
            columns: {
              component: { values: ['svc'] },
              version: { values: ['0.9', '1.0', '1.1'] },
              availableAt: {
                values: ['2026-03-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
                at: [0, 3, 1],
              },
              moveTo: { values: ['1.1'], at: [0, 1, 2] },
            },
          },
        },
      },
    },
    site,
  ),
);

test('releases are listed in the order of availableAt, the oldest first, without empty values', async () => {
  expect(await read('/api/releases', recorded)).toEqual([
    { component: 'svc', title: 'Server', version: '1.0' },
    { component: 'svc', title: 'Server', version: '1.1', availableAt: '2026-01-01T00:00:00.000Z' },
    {
      ...{ component: 'svc', title: 'Server', version: '0.9' },
      ...{ availableAt: '2026-03-01T00:00:00.000Z', moveTo: '1.1' },
    },
  ]);
});

test('pages of any size have each selected release once, in the same order', async () => {
  const whole = await read<Row[]>('/api/releases?maxReleases=1000&query=component:svc');
  for (const size of [1, whole.length - 1, whole.length]) {
    const paged: Row[] = [];
    const sizes: number[] = [];
    let path = `/api/releases?maxReleases=${size}&query=component:svc`;
    while (path !== '') {
      const answer = await api(path);
      const page = (await answer.json()) as Row[];
      paged.push(...page);
      sizes.push(page.length);
      const link = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1] ?? '';
      expect(link === '' || link.startsWith(`${baseUrl}/api/releases?`)).toBe(true);
      path = link.replace(baseUrl, '');
    }

    expect(paged).toEqual(whole);
    expect(Math.max(...sizes)).toBe(size);
    expect(sizes).toHaveLength(Math.ceil(whole.length / size));
  }
});

test('without a number, a page has 100 releases', async () => {
  const answer = await api('/api/releases');

  expect((await answer.json()) as Row[]).toHaveLength(100);
  expect(answer.headers.get('link')).toContain('after=');
});

test.each(['0', '1001', '1.5', 'x'])('a page cannot have %s releases', async (size) => {
  expect(await readProblem(`/api/releases?maxReleases=${size}`)).toEqual([
    400,
    `maxReleases: expected a whole number from 1 to 1000; got "${size}"`,
  ]);
});

test.each([
  ['2026-01-01T00:00:00.000Z', ['1.1', '0.9']],
  ['2026-01-01T00:00:00.001Z', ['0.9']],
  ['2026-03-01T00:00:00.001Z', []],
  ['1970', ['1.0', '1.1', '0.9']],
])('since %s, these releases were recorded: %j', async (since, versions) => {
  const rows = await read<Row[]>(`/api/releases?since=${Date.parse(since)}`, recorded);

  expect(rows.map(({ version }) => version)).toEqual(versions);
});
