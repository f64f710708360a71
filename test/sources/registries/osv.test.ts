import { text as readText } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { RecordedAdvisory } from '../../../src/core/schema/recorded.ts';
import { ask } from '../../harness/ask-source.ts';
import { json, serve, type Documents } from '../../harness/upstream.ts';

const inEcosystem = (ecosystem: string, name: string) => ({ ecosystem, name });
const about = inEcosystem('npm', '@example/agent');
const others = [
  { datasource: 'npm' as const, packageName: '@example/agent' },
  { datasource: 'pypi' as const, packageName: 'Example.Kit' },
  { datasource: 'nuget' as const, packageName: 'Example.Agent' },
];
const range = (...events: object[]) => ({ type: 'SEMVER', events });
const stated = (id: string, affected: object[], more: object = {}) => ({ id, affected, ...more });
const ofAll = (id: string, subject: object = about, more: object = {}) =>
  stated(id, [{ package: subject, ranges: [range({ introduced: '0' })] }], more);

const askDocument = (document: unknown) =>
  ask((url) => ({ datasource: 'osv', url: `${url}osv.json` }), {
    documents: { '/osv.json': json(document) },
    others,
  });

test('osv reads the ids, the affected range, the fixes and the severity of an advisory', async () => {
  const ranges = [
    range({ introduced: '0' }, { fixed: '1.1' }, { introduced: '2.0' }, { fixed: '2.0.1' }),
    range({ fixed: '1.1' }, { fixed: 'x' }),
    { type: 'GIT', events: [{ introduced: 'abc' }] },
  ];
  const { advisories, releases, notes } = await askDocument(
    stated('GHSA-1', [{ package: about, ranges, versions: ['1.0'] }], {
      published: '2026-01-01T10:00:00Z',
      summary: 'Reads files.\nAll of them.',
      references: [{ url: 'http://x' }, { url: 'https://example.com/1' }],
      database_specific: { severity: 'MODERATE' },
      aliases: ['CVE-2026-1', 'CVE-2026-1', 'GHSA-1', 7, `CVE-${'1'.repeat(200)}`],
    }),
  );

  expect({ releases, notes }).toEqual({ releases: [], notes: [] });
  expect(advisories).toEqual([
    {
      id: 'GHSA-1',
      aliases: ['CVE-2026-1'],
      affected: '<1.1 || >=2.0 <2.0.1',
      fixed: ['1.1', '2.0.1'],
      severity: 'medium',
      summary: 'Reads files. All of them.',
      url: 'https://example.com/1',
      published: '2026-01-01',
    },
  ]);
});

const critical = { type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' };
const version4 = {
  type: 'CVSS_V4',
  score: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
};
test.each<[string | undefined, object, object]>([
  ['high', { severity: [version4] }, { severity: [critical] }],
  ['critical', { severity: [{ type: 'CVSS_V3', score: 'low' }] }, { severity: [critical] }],
  ['low', { severity: [critical], database_specific: { severity: 'LOW' } }, {}],
  ['medium', { severity: [{ type: 'Ubuntu', score: 'medium' }] }, {}],
  [undefined, { severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:?' }] }, {}],
])(
  'osv reads the severity %s of an advisory with %j and %j',
  async (severity, document, ofPackage) => {
    const affected = [{ package: about, versions: ['1.0'], ...ofPackage }];
    const { advisories } = await askDocument([stated('CVE-1', affected, document)]);

    expect(advisories?.[0]?.severity).toBe(severity);
  },
);

test('osv compares package names by the rules of their ecosystem', async () => {
  const { advisories, withdrawnAdvisories } = await askDocument([
    ofAll('CVE-1', inEcosystem('PyPI', 'example-kit')),
    ofAll('CVE-2', inEcosystem('NuGet', 'EXAMPLE.AGENT')),
    ofAll('CVE-3', inEcosystem('npm', '@Example/Agent')),
    ofAll('CVE-5', about, { withdrawn: '2026-01-03T00:00:00Z' }),
    ofAll('CVE-2', inEcosystem('npm', 'other')),
  ]);

  expect(advisories?.map(({ id }) => id)).toEqual(['CVE-1', 'CVE-2']);
  expect(withdrawnAdvisories).toEqual(['CVE-3', 'CVE-5']);
});

test('osv skips unreadable advisories, and reads the rest of the list', async () => {
  const { advisories, notes, isPartial } = await askDocument([
    { id: 1 },
    ofAll('../x'),
    ofAll('CVE-1', about, { published: null, summary: null, references: null, aliases: 'CVE-1' }),
    stated('CVE-2', [{ package: about, versions: ['not a version'] }]),
  ]);

  expect(advisories).toEqual([
    { id: 'CVE-1', affected: '*' },
    { id: 'CVE-2', affected: '*' },
  ]);
  expect(notes).toEqual(['entry 1: id: expected a text; got 1. Skipped 2 of 4 entries.']);
  expect(isPartial).toBe(true);
});

/** Asks an imitated OSV API. `pages` has its answers by package name and page token, for example `@example/agent two`. */
const askApi = (
  pages: Record<string, object>,
  documents: Documents = {},
  recorded: RecordedAdvisory[] = [],
) =>
  ask((registryUrl) => ({ datasource: 'osv', registryUrl }), {
    others,
    recorded: { releases: [], advisories: recorded },
    change: () => async (request, response) => {
      if (request.method === 'GET') {
        serve(documents)(request, response);
        return;
      }
      const query = JSON.parse(await readText(request));
      const page = pages[`${query.package.name} ${query.page_token ?? ''}`.trim()] ?? {};
      response.writeHead('error' in page ? 500 : 200).end(JSON.stringify(page));
    },
  });

test('osv looks up recorded advisories that are no longer listed', async () => {
  const record = (id: string): RecordedAdvisory => ({ id, affected: '*', source: 'osv' });
  const { advisories, withdrawnAdvisories, notes, asked } = await askApi(
    {
      '@example/agent': { vulns: [ofAll('CVE-1')], next_page_token: 'two' },
      '@example/agent two': { vulns: [ofAll('CVE-6')] },
    },
    {
      '/v1/vulns/CVE-2': json(ofAll('CVE-2', about, { withdrawn: '2026-01-03T00:00:00Z' })),
      '/v1/vulns/CVE-3': json(ofAll('CVE-3', inEcosystem('npm', 'other'))),
    },
    [
      ...['CVE-1', 'CVE-2', 'CVE-3', 'CVE-4'].map(record),
      { id: 'CVE-5', exploitedSince: '2026-01-01', source: 'https://example.com/kev.json' },
    ],
  );

  expect(advisories?.map(({ id }) => id)).toEqual(['CVE-1', 'CVE-6']);
  expect(withdrawnAdvisories).toEqual(['CVE-2', 'CVE-3']);
  expect(notes).toEqual([]);
  expect(asked.sort()).toEqual([
    ...['CVE-2', 'CVE-3', 'CVE-4'].map((id) => `GET /v1/vulns/${id}`),
    ...Array.from({ length: 4 }, () => 'POST /v1/query'),
  ]);
});

test('osv fails if one page of the API cannot be read', async () => {
  const pages = { '@example/agent': { next_page_token: 'a' }, '@example/agent a': { error: 1 } };

  await expect(askApi(pages)).rejects.toThrow('answered 500');
  await expect(askDocument({ id: 1 })).rejects.toThrow('None of its 1 entries can be read');
  await expect(ask(() => ({ datasource: 'osv' }))).rejects.toThrow('no package of an ecosystem');
});

test('osv reads at most 1,000 different advisories', async () => {
  const vulns = Array.from({ length: 1003 }, (_, index) => ofAll(`CVE-2026-${1000 + index}`));
  const { advisories } = await askApi({ '@example/agent': { vulns }, 'Example.Kit': { vulns } });

  expect(advisories).toHaveLength(1000);
});

test('an advisory may have no fix or a single one, and no other id', async () => {
  const { advisories } = await askDocument([
    ofAll('CVE-1'),
    stated('CVE-2', [{ package: about, ranges: [range({ introduced: '0' }, { fixed: '1.1' })] }]),
  ]);

  expect(advisories!.map(({ aliases, fixed }) => [aliases, fixed])).toEqual([
    [undefined, undefined],
    [undefined, ['1.1']],
  ]);
});
