import { expect, it } from 'vitest';
import { describeDetails } from '../../../../src/decide/details.ts';
import { computeDetailsOn } from '../../../../src/ask/answers/component-on.ts';
import { listSearchRows } from '../../../../src/core/query/rows.ts';
import type { RecordedRelease } from '../../../../src/core/schemas/recorded/recorded.ts';
import { SearchedComponent } from '../../../../src/core/schemas/published/search-file.ts';
import {
  compactDetails,
  renderSearchedComponent,
} from '../../../../src/site/render/documents/search-json.ts';
import { componentOf } from '../sites.ts';

const searched = (...component: Parameters<typeof componentOf>) =>
  renderSearchedComponent(describeDetails(componentOf(...component)));

it('search.json states once what all releases of a line share', () => {
  const text = searched(
    [
      { version: '1.0', releaseTimestamp: '2024-01-01', firstSeen: '2024-01-02' },
      { version: '1.0.1', releaseTimestamp: '2024-02-01T10:00:00Z', deprecated: 'Broken.' },
      { version: '1.1-rc-1', releaseTimestamp: '2025-05-01' },
      { version: '1.1', releaseTimestamp: '2025-06-01' },
      { version: '1.1.1', withdrawnSince: '2026-01-01' },
      { version: '1.2-rc-1' },
      { version: '1.2-rc-2' },
    ],
    {
      prereleases: true,
      support: { policy: 'term', months: 24 },
      sources: [{ datasource: 'npm', packageName: 'svc' }],
    },
  );

  expect(SearchedComponent.parse(JSON.parse(text))).toEqual(JSON.parse(text));
  expect(text.split('\n')).toEqual([
    '{"title":"Server","policy":"term","datasource":["npm"],"package":["svc"],"lines":[',
    '{"line":"1.0","phases":[{"name":"support","until":"2026-01-01"}],"reason":{"rule":"support policy","text":"2024-01-01, by the vendor; 24 months, by the definition","from":"2026-01-02"},"releases":[',
    '{"version":"1.0","releaseTimestamp":"2024-01-01","firstSeen":"2024-01-02"},',
    '{"version":"1.0.1","reasons":[{"rule":"upstream","text":"Deprecated upstream: Broken."}],"releaseTimestamp":"2024-02-01T10:00:00Z"}]},',
    '{"line":"1.1","phases":[{"name":"support","until":"2027-06-01"}],"reason":{"rule":"support policy","text":"2025-06-01, by the vendor; 24 months, by the definition","from":"2027-06-02"},"releases":[',
    '{"version":"1.1-rc-1","isPrerelease":true,"releaseTimestamp":"2025-05-01"},',
    '{"version":"1.1","releaseTimestamp":"2025-06-01"},',
    '{"version":"1.1.1","reasons":[{"rule":"withdrawn","text":"Upstream has not listed it since 2026-01-01.","from":"2026-01-01"}],"withdrawnSince":"2026-01-01"}]},',
    '{"line":"1.2","shared":{"isPrerelease":true},"releases":[',
    '{"version":"1.2-rc-1"},',
    '{"version":"1.2-rc-2"}]}]}',
    '',
  ]);
});

it('search.json has components without releases', () => {
  expect(JSON.parse(searched([]))).toEqual({ title: 'Server', policy: 'none', lines: [] });
});

const seen = [
  { version: '1.0', releaseTimestamp: '2024-01-01T10:00:00Z', firstSeen: '2024-01-01' },
  { version: '1.1', releaseTimestamp: '2024-02-01', firstSeen: '2024-02-03' },
  { version: '1.2', firstSeen: '2024-03-01' },
];
const days = seen.map(({ firstSeen }) => firstSeen);

it.each<[string, RecordedRelease[], unknown[], unknown[]]>([
  ['is left out', seen, [undefined, ...days.slice(1)], days],
  [
    'stays where another release has none',
    [...seen, { version: '1.3', releaseTimestamp: '2024-04-01' }],
    [...days, undefined],
    [...days, undefined],
  ],
])(
  'a first day that is the day of the release %s, and every reader knows it',
  (_, recorded, published, known) => {
    const details = describeDetails(componentOf(recorded));
    const searched = compactDetails(details);
    const { day, releases } = computeDetailsOn(details, '2026-06-01');
    const rows = listSearchRows(searched, day, { component: 'svc', freshness: 'live' });

    const ofLines = searched.lines.flatMap((line) => line.releases);
    expect(details.releases.map(({ firstSeen }) => firstSeen)).toEqual(published);
    expect(ofLines.map(({ firstSeen }) => firstSeen)).toEqual(published);
    expect(releases.map(({ firstSeen }) => firstSeen)).toEqual(known);
    expect(rows.map(({ releaseFields }) => releaseFields.firstSeen)).toEqual(known);
    expect(rows.map(({ releaseFields }) => releaseFields.releaseTimestamp)).toEqual(
      releases.map(({ releaseTimestamp }) => releaseTimestamp),
    );
  },
);
