import { expect, it } from 'vitest';
import { detailsOf } from '../../../src/decide/details.ts';
import { compactDetails } from '../../../src/ask/compact-details.ts';
import { SearchedComponent } from '../../../src/core/schemas/published/search-file.ts';
import type { Component } from '../../../src/decide/component.ts';
import { catalogueOf, rowOf, type CompactComponent } from '../../../src/core/query/catalogue.ts';
import { renderSearchedComponent } from '../../../src/site/render/search-json.ts';
import { componentOf } from './sites.ts';

const component = (day: string) =>
  componentOf(
    [
      { version: '1.0', releaseTimestamp: '2024-01-01', firstSeen: '2024-01-02' },
      { version: '1.0.1', releaseTimestamp: '2024-02-01T10:00:00Z', deprecated: 'Broken.' },
      { version: '1.1-rc-1', releaseTimestamp: '2025-05-01' },
      { version: '1.1', releaseTimestamp: '2025-06-01' },
      { version: '1.1.1', withdrawnSince: '2026-01-01' },
      { version: '1.2' },
    ],
    {
      prereleases: true,
      support: { policy: 'term', months: 24 },
      sources: [{ datasource: 'npm', packageName: 'svc' }],
    },
    { day },
  );

const searched = (component: Component) =>
  renderSearchedComponent(compactDetails(detailsOf(component)), component.judgement);

it('says once what all releases of a line share, and leaves out what is not so', () => {
  expect(searched(component('2026-06-30')).split('\n')).toEqual([
    '{"title":"Server","policy":"term","datasource":["npm"],"package":["svc"],"coming":[{"on":"2027-06-01","line":"1.1","event":"leaves support"}],"lines":[',
    '{"line":"1.0","status":"deprecated","isDeprecated":true,"isSupported":false,"timestampKind":"published","supportedUntil":"2026-01-01","releases":[',
    '{"version":"1.0","reason":["1.0 was first released on 2024-01-01; a release line is supported for 24 months."],"releaseTimestamp":"2024-01-01T00:00:00Z","firstSeen":"2024-01-02","deprecatedSince":"2026-01-01"},',
    '{"version":"1.0.1","reason":["Deprecated upstream: Broken.","1.0 was first released on 2024-01-01; a release line is supported for 24 months."],"releaseTimestamp":"2024-02-01T10:00:00Z"}]},',
    '{"line":"1.1","phase":"support","supportedUntil":"2027-06-01","phaseUntil":"2027-06-01","releases":[',
    '{"version":"1.1-rc-1","status":"supported","isPrerelease":true,"isSupported":true,"releaseTimestamp":"2025-05-01T00:00:00Z","timestampKind":"published"},',
    '{"version":"1.1","status":"supported","isSupported":true,"releaseTimestamp":"2025-06-01T00:00:00Z","timestampKind":"published","isLatestOfLine":true},',
    '{"version":"1.1.1","status":"withdrawn","reason":["Upstream has not listed it since 2026-01-01."],"isDeprecated":true,"isWithdrawn":true,"isSupported":false,"deprecatedSince":"2026-01-01"}]},',
    '{"line":"1.2","status":"supported","isSupported":true,"phase":"support","releases":[',
    '{"version":"1.2","isLatest":true,"isLatestOfLine":true}]}]}',
    '',
  ]);
});

it.each(['2024-01-15', '2025-12-31', '2026-01-01', '2026-06-30'])(
  'says of every release what a query asks of it, as of %s',
  (day) => {
    const judged = component(day);
    const document = JSON.parse(searched(judged)) as CompactComponent;

    expect(SearchedComponent.parse(document)).toEqual(document);
    const expand = (compact: CompactComponent) => catalogueOf([['svc', compact]]).map(rowOf);
    expect(expand(document)).toEqual(expand(compactDetails(detailsOf(judged))));
  },
);

it('does not move from one day to the next unless a verdict does', () => {
  const on = (day: string) => searched(component(day));

  expect(on('2026-06-30')).toBe(on('2026-07-01'));
  expect(on('2025-12-31')).not.toBe(on('2026-01-01'));
});

it('has a component without releases', () => {
  const empty = componentOf([]);

  expect(JSON.parse(searched(empty))).toEqual({ title: 'Server', policy: 'none', lines: [] });
});
