import { expect, it } from 'vitest';
import { detailsOf } from '../../../src/decide/details.ts';
import { compactDetails } from '../../../src/ask/answers/compact-details.ts';
import { SearchedComponent } from '../../../src/core/schemas/published/search-file.ts';
import { renderSearchedComponent } from '../../../src/site/render/documents/search-json.ts';
import { componentOf } from './sites.ts';

const searched = (...component: Parameters<typeof componentOf>) =>
  renderSearchedComponent(compactDetails(detailsOf(componentOf(...component))));

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
    '{"line":"1.0","phases":[{"name":"support","until":"2026-01-01"}],"reason":{"rule":"support policy","text":"1.0 was first released on 2024-01-01; a release line is supported for 24 months.","from":"2026-01-01"},"releases":[',
    '{"version":"1.0","releaseTimestamp":"2024-01-01T00:00:00Z","firstSeen":"2024-01-02"},',
    '{"version":"1.0.1","reasons":[{"rule":"upstream","text":"Deprecated upstream: Broken."}],"releaseTimestamp":"2024-02-01T10:00:00Z"}]},',
    '{"line":"1.1","phases":[{"name":"support","until":"2027-06-01"}],"reason":{"rule":"support policy","text":"1.1 was first released on 2025-06-01; a release line is supported for 24 months.","from":"2027-06-01"},"releases":[',
    '{"version":"1.1-rc-1","isPrerelease":true,"releaseTimestamp":"2025-05-01T00:00:00Z"},',
    '{"version":"1.1","releaseTimestamp":"2025-06-01T00:00:00Z"},',
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
