import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { GatherInput } from '../../../src/record/gather/ask-sources.ts';
import { uniteAnswers } from '../../../src/record/gather/unite-answers.ts';
import { FullDefinition } from '../../../src/record/read-definition.ts';
import type { TypedSource } from '../../../src/record/sources/index.ts';
import { listOsvPackages } from '../../../src/record/gather/ask-sources.ts';
import { ask, json } from '../../harness/asking.ts';
import { answer, outcomeOf } from '../../harness/merging.ts';
import { definition } from '../../harness/root.ts';

const packages = listOsvPackages([
  { datasource: 'npm', packageName: '@example/agent' },
  { datasource: 'pypi', packageName: 'Example.Kit' },
]);
const source = (url: string): TypedSource => ({ datasource: 'osv', url: `${url}osv.json` });
const advised = (document: unknown) =>
  ask(source, { documents: { '/osv.json': json(document) }, packages });

const about = { ecosystem: 'npm', name: '@example/agent' };
const range = (...events: object[]) => ({ type: 'SEMVER', events });
const stated = (id: string, affected: object[], more: object = {}) => ({
  id,
  modified: '2026-01-02T00:00:00Z',
  affected,
  ...more,
});

it('osv reads ranges, fixed versions, severity and links of one document', async () => {
  const ranges = [
    range({ introduced: '0' }, { fixed: '1.1' }, { introduced: '2.0' }, { fixed: '2.0.1' }),
    { type: 'GIT', repo: 'https://example.com/x', events: [{ introduced: 'abc' }] },
  ];
  const { advised: found, releases } = await advised(
    stated('GHSA-1', [{ package: about, ranges, versions: ['1.0'] }], {
      published: '2026-01-01T10:00:00Z',
      summary: 'Reads files.\nAll of them.',
      references: [
        { type: 'WEB', url: 'http://x' },
        { type: 'ADVISORY', url: 'https://example.com/1' },
      ],
      database_specific: { severity: 'MODERATE' },
    }),
  );

  expect(releases).toEqual([]);
  expect(Object.fromEntries(found)).toEqual({
    'GHSA-1': {
      id: 'GHSA-1',
      affected: '<1.1 || >=2.0 <2.0.1',
      fixed: ['1.1', '2.0.1'],
      severity: 'medium',
      summary: 'Reads files. All of them.',
      url: 'https://example.com/1',
      published: '2026-01-01',
    },
  });
});

it('osv keeps an advisory whose texts, links and unused bounds are null', async () => {
  const ranges = [range({ introduced: '0', fixed: null }, { introduced: null, fixed: '1.1' })];
  const { advised: found, skipped } = await advised([
    stated('GHSA-1', [{ package: about, ranges }], {
      published: null,
      summary: null,
      references: [{ url: null }, { url: 'https://example.com/1' }],
    }),
  ]);

  expect(skipped).toEqual([]);
  expect(found).toEqual([
    ['GHSA-1', { id: 'GHSA-1', affected: '<1.1', fixed: ['1.1'], url: 'https://example.com/1' }],
  ]);
});

it('a catalogue of exploited vulnerabilities keeps an entry whose due day cannot be read', async () => {
  const vulnerabilities = [{ cveID: 'CVE-2026-1', dateAdded: '2026-01-01', dueDate: null }];
  const { advised: found } = await ask(
    (url) => ({ datasource: 'exploited', url: `${url}kev.json` }) as unknown as TypedSource,
    { documents: { '/kev.json': json({ vulnerabilities }) } },
  );

  expect(found).toEqual([['CVE-2026-1', { id: 'CVE-2026-1', exploitedSince: '2026-01-01' }]]);
});

it.each([
  [
    ['CVE-2026-1', 'PYSEC-2026-1', 'CVE-2026-1', 'GHSA-1'],
    ['CVE-2026-1', 'PYSEC-2026-1'],
  ],
  [['no id', 7, null, `CVE-${'1'.repeat(100)}`, 'CVE-2026-2'], ['CVE-2026-2']],
  [
    Array.from({ length: 50_000 }, (_, index) => `CVE-2026-${10_000 + index}`),
    Array.from({ length: 20 }, (_, index) => `CVE-2026-${10_000 + index}`),
  ],
  [['GHSA-1'], undefined],
  [null, undefined],
  ['CVE-2026-1', undefined],
])('osv reads the other ids of an advisory: %#', async (aliases, read) => {
  const { advised: found } = await advised(
    stated('GHSA-1', [{ package: about, versions: ['1.0'] }], { aliases }),
  );

  expect(found.map(([, advisory]) => advisory)).toMatchObject([{ id: 'GHSA-1' }]);
  expect((found[0]![1] as { aliases?: string[] }).aliases).toEqual(read);
});

it.each([
  [[range({ introduced: '0' })], undefined, '*'],
  [[range({ introduced: '1.0' }, { last_affected: '1.4' })], undefined, '>=1.0 <=1.4'],
  [
    [range({ introduced: '1.0' }, { fixed: '1.4' }, { introduced: '2 RC' }, { fixed: '2.3' })],
    undefined,
    '<2.3',
  ],
  [
    [range({ introduced: '0' }, { last_affected: '1.0.0' }, { introduced: '1.0' }, { fixed: '2' })],
    undefined,
    '<=1.0.0 || >=1.0 <2',
  ],
  [[range({ introduced: '1.0.0' }, { last_affected: '1.0' })], undefined, '>=1.0.0 <=1.0'],
  [[range({ introduced: '0' }, { last_affected: '0' })], undefined, '<=0'],
  [undefined, ['1.0', '1.1'], '=1.0 || =1.1'],
  [[range({ introduced: '2.0' }, { fixed: '2.1' })], ['1.3', '2.0.1'], '>=2.0 <2.1 || =1.3'],
  [[range({ fixed: '1.4' }, { introduced: '1.0' })], undefined, '>=1.0 <1.4'],
  [
    [range({ introduced: '0' }, { introduced: '1.0' }, { fixed: '1.0' }, { fixed: '1.1' })],
    undefined,
    '<1.0 || >=1.0 <1.1',
  ],
  [
    [range({ fixed: '2.1' }, { introduced: '0' }, { fixed: '1.1' }, { introduced: '2.0' })],
    undefined,
    '<1.1 || >=2.0 <2.1',
  ],
  [[range({ introduced: '1.0' }, { fixed: '1a2b3c4d' })], undefined, '>=1.0'],
  [[range({ introduced: 'x' }, { fixed: '1.4' })], undefined, '<1.4'],
  [[range({ introduced: '1.0.2a' }, { fixed: '1.0.2g' })], undefined, '>=1.0.2a <1.0.2g'],
  [[range({ introduced: '1.0' }, { fixed: '1.x' })], undefined, '>=1.0'],
  [[range({ introduced: '1.x' }, { fixed: '2.0' })], ['3.O.0'], '<2.0'],
  [[{ type: 'GIT', events: [{ introduced: '0' }] }], undefined, '*'],
  [[range({ fixed: 'x' })], ['1.0'], '*'],
  [[range()], undefined, '*'],
])('osv reads %j and %j as %s', async (ranges, versions, affected) => {
  const { advised: found } = await advised([
    stated('CVE-2026-1', [
      { package: { ecosystem: 'PyPI', name: 'example_kit' }, ranges, versions },
    ]),
  ]);

  expect(found).toMatchObject([['CVE-2026-1', { affected }]]);
});

const vector = (type: string, score: string) => [{ type, score }];
const critical = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
const low = 'CVSS:3.1/AV:P/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N';
it.each<[string | undefined, object, object]>([
  ['critical', { severity: vector('CVSS_V3', critical) }, {}],
  ['critical', {}, { severity: vector('CVSS_V3', critical) }],
  [
    'high',
    {
      severity: vector(
        'CVSS_V4',
        'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
      ),
    },
    { severity: vector('CVSS_V3', critical) },
  ],
  ['critical', { severity: [...vector('CVSS_V3', critical), ...vector('CVSS_V3', low)] }, {}],
  ['critical', { severity: vector('CVSS_V3', low) }, { severity: vector('CVSS_V3', critical) }],
  ['critical', { severity: [...vector('Ubuntu', 'low'), ...vector('CVSS_V3', critical)] }, {}],
  ['low', { severity: vector('CVSS_V3', critical), database_specific: { severity: 'LOW' } }, {}],
  ['medium', { severity: vector('Ubuntu', 'medium') }, {}],
  [undefined, { severity: vector('CVSS_V3', 'CVSS:3.1/AV:\ud800') }, {}],
  [undefined, { severity: 'critical' }, {}],
])('osv rates as %s what is stated by %j and %j', async (severity, document, ofPackage) => {
  const affected = [{ package: about, versions: ['1.0'], ...ofPackage }];
  const { advised: found } = await advised([stated('CVE-1', affected, document)]);

  const [[, advisory] = []] = found;
  expect(advisory).toMatchObject(severity === undefined ? { id: 'CVE-1' } : { severity });
  expect(Object.keys(advisory ?? {}).includes('severity')).toBe(severity !== undefined);
});

it('osv ignores other packages and ecosystems, and reads withdrawals', async () => {
  const all = [range({ introduced: '0' })];
  const { advised: found } = await advised([
    stated('CVE-1', [{ package: { ecosystem: 'PyPI', name: '@example/agent' }, ranges: all }]),
    stated('CVE-2', [{ package: { ...about, name: 'other' }, ranges: all }]),
    stated('CVE-3', [{ package: about, ranges: all }], { withdrawn: '2026-01-03T00:00:00Z' }),
  ]);

  expect(found).toEqual([
    ['CVE-1', undefined],
    ['CVE-2', undefined],
    ['CVE-3', 'withdrawn'],
  ]);
});

it('osv keeps an advisory on a package if a document with the same id is about another', async () => {
  const other = stated('CVE-1', [{ package: { ...about, name: 'other' }, versions: ['1.0'] }]);
  const own = stated('CVE-1', [{ package: about, versions: ['1.0'] }]);

  for (const documents of [
    [other, own],
    [own, other],
  ]) {
    const { advised: found } = await advised(documents);
    expect(found).toEqual([['CVE-1', { id: 'CVE-1', affected: '=1.0' }]]);
  }
});

it("osv finds a package of NuGet in any case of its id, and npm's only in its own", async () => {
  const { advised: found } = await ask(source, {
    documents: {
      '/osv.json': json([
        on('Example.Agent', 'NuGet', 'CVE-1'),
        on('Example.Agent', 'npm', 'CVE-2'),
      ]),
    },
    packages: ['NuGet', 'npm'].map((ecosystem) => ({ ecosystem, name: 'example.agent' })),
  });

  expect(found).toEqual([
    ['CVE-1', { id: 'CVE-1', affected: '*' }],
    ['CVE-2', undefined],
  ]);
});

it('osv skips unreadable documents, and reads the rest of a list', async () => {
  const { advised: found, skipped } = await advised([
    { id: 1 },
    stated('../x', [{ package: about, versions: ['1.0'] }]),
    stated('CVE-2', [{ package: about, versions: ['not a version'] }]),
    stated('CVE-3', [{ package: about, versions: ['1.0'] }]),
  ]);

  expect(found).toMatchObject([
    ['CVE-2', { affected: '*' }],
    ['CVE-3', { affected: '=1.0' }],
  ]);
  expect(skipped).toHaveLength(3);
  expect(skipped[0]).toContain('document 1 is in no form of OSV. Skipped.');
});

const api = (url: string): TypedSource => ({ datasource: 'osv', registryUrl: url });
const askApi = (pages: Record<string, object>, of = packages) =>
  ask(api, {
    packages: of,
    handler: () => async (request, response) => {
      const query = JSON.parse(await text(request)) as {
        package: { name: string };
        page_token?: string;
      };
      const page = pages[`${query.package.name} ${query.page_token ?? ''}`.trim()];
      response.writeHead(page ? 200 : 500, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(page ?? {}));
    },
  });
const on = (name: string, ecosystem: string, id: string) =>
  stated(id, [{ package: { ecosystem, name }, ranges: [range({ introduced: '0' })] }]);

it('the API of OSV is asked about each package, page by page', async () => {
  const { advised: found, requests } = await askApi({
    '@example/agent': { vulns: [on('@example/agent', 'npm', 'CVE-1')], next_page_token: 'two' },
    '@example/agent two': { vulns: [on('@example/agent', 'npm', 'CVE-2')] },
    'example-kit': {},
  });

  expect(found.map(([id]) => id)).toEqual(['CVE-1', 'CVE-2']);
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
    Array(3).fill('POST /v1/query'),
  );
});

it('an advisory on two packages of a component counts once against the limit', async () => {
  const vulns = Array.from({ length: 600 }, (_, index) => ({
    id: `CVE-2026-${1000 + index}`,
    affected: packages.map((subject) => ({ package: subject, versions: ['1.0'] })),
  }));

  const { advised: found, skipped } = await askApi({
    '@example/agent': { vulns },
    'example-kit': { vulns },
  });

  expect(found).toHaveLength(600);
  expect(skipped).toEqual([]);
});

it('more advisories than the limit are reported once', async () => {
  const vulns = Array.from({ length: 1003 }, (_, index) => ({
    id: `CVE-2026-${1000 + index}`,
    affected: packages.map((subject) => ({ package: subject, versions: ['1.0'] })),
  }));

  const { advised: found, skipped } = await askApi({
    '@example/agent': { vulns },
    'example-kit': {},
  });

  expect(found).toHaveLength(1000);
  expect(skipped).toHaveLength(1);
});

// The sample answer in the documentation of OSV, without `details`: https://google.github.io/osv.dev/post-v1-query/ (2026-11-22).
it('the API of OSV is read as documented', async () => {
  const sample = new URL('../../fixtures/osv-query.json', import.meta.url);
  const answer = JSON.parse(readFileSync(sample, 'utf8')) as object;

  const { advised: found, skipped } = await askApi({ mruby: answer }, [
    { ecosystem: 'OSS-Fuzz', name: 'mruby' },
  ]);

  expect(skipped).toEqual([]);
  expect(Object.fromEntries(found)).toEqual({
    'OSV-2020-744': {
      id: 'OSV-2020-744',
      affected: '=2.1.2 || =2.1.2-rc || =2.1.2-rc2',
      summary: 'Heap-double-free in mrb_default_allocf',
      url: 'https://bugs.chromium.org/p/oss-fuzz/issues/detail?id=23801',
      published: '2020-07-04',
    },
  });
});

it('the API of OSV fails as a whole if a page fails or leads in a circle, or without a package', async () => {
  const circle = {
    '@example/agent': { next_page_token: 'a' },
    '@example/agent a': { next_page_token: 'a' },
  };

  await expect(
    askApi({ '@example/agent': { next_page_token: 'two' }, 'example-kit': {} }),
  ).rejects.toThrow();
  await expect(askApi({ ...circle, 'example-kit': {} })).rejects.toThrow(
    'its pages lead in a circle',
  );
  await expect(askApi({}, [])).rejects.toThrow('no package of an ecosystem that OSV knows');
});

it('a page of the API of OSV with too many advisories fails with their number', async () => {
  const vulns = Array(150_000).fill(null);

  await expect(askApi({ '@example/agent': { vulns }, 'example-kit': {} })).rejects.toThrow(
    'lists 150,000 entries, more than the 100,000 that we take',
  );
});

it('an advisory stays recorded until its own source withdraws it', () => {
  const id = 'osv:https://example.com/osv.json';
  const advisory = { id: 'CVE-1', affected: '*' };
  const component = {
    component: 'svc',
    definition: FullDefinition.parse(definition({ sources: [source('https://example.com/')] })),
    ...{ releases: [], freshness: { sources: {} } },
  };
  const unite = (advisories: GatherInput['advisories'], advice: object) =>
    uniteAnswers(
      { ...component, advisories },
      [{ ...outcomeOf(answer(id, [])), ...advice }],
      '2026-06-01',
    ).advisories;
  const run = (
    advisories: GatherInput['advisories'],
    ...said: [string, typeof advisory | undefined][]
  ) => unite(advisories, { advisories: { byId: new Map(said), isComplete: false } });
  const recorded = [{ ...advisory, source: id }];

  expect(run(undefined, ['CVE-1', advisory])).toEqual(recorded);
  expect(run(recorded)).toEqual(recorded);
  expect(run(recorded, ['CVE-1', undefined])).toEqual([]);
  const other = { ...advisory, source: 'osv:other' };
  expect(run([other], ['CVE-1', undefined])).toEqual([other]);
  expect(run([other], ['CVE-1', advisory])).toEqual([...recorded, other]);
  expect(
    unite([...recorded, other], { advisories: { byId: new Map(), isComplete: true } }),
  ).toEqual([other]);
});

it('osv reads the first thousand fixed versions of an advisory with more', async () => {
  const ranges = Array.from({ length: 1001 }, (_, index) =>
    range({ introduced: '0' }, { fixed: `1.${index}` }),
  );
  const { advised: found } = await advised(stated('GHSA-1', [{ package: about, ranges }]));

  expect(Object.fromEntries(found)['GHSA-1']).toMatchObject({ fixed: { length: 1000 } });
});
