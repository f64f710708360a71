import { describe, expect, it } from 'vitest';
import { detailsOf, renderDetailsFile } from '../../src/render/details-file.ts';
import { componentOf } from './sites.ts';

describe('the details file of a component', () => {
  it('says of each release what is known of it, and nothing else', () => {
    const component = componentOf(
      [
        { version: '1.0' },
        {
          version: '1.1-"odd" ü',
          releaseTimestamp: '2025-01-01',
          timestampKind: 'observed',
          changelogUrl: 'https://example.com/1.1?a=%22',
          source: 'npm:"a"',
          alsoListedBy: ['pypi:b', 'ü'],
          firstSeen: '2025-01-02',
          deprecated: 'Use <2>, "or" 3.',
          withdrawnSince: '2025-02-01',
        },
        { version: '2.0', releaseTimestamp: '2026-06-01', source: 'npm:a' },
        { version: '2.1-rc1', releaseTimestamp: '2026-06-02T10:00:00Z', isPrerelease: true },
        {
          version: '3.0',
          releaseTimestamp: '2026-06-03',
          corrections: [
            { on: '2026-06-04', field: 'releaseTimestamp', from: '2026-06-02', reason: 'A "typo".' },
          ],
        },
      ],
      {
        support: { policy: 'term', months: 6 },
        deprecated: [
          { versions: ['3.0'], reason: 'Broken', url: 'https://example.com/3', since: '2026-07-01' },
        ],
      },
    );

    const { releases } = JSON.parse(renderDetailsFile(component)) as { releases: object[] };
    expect(releases).toHaveLength(5);
    expect(releases.map((release) => JSON.stringify(release))).toEqual(
      component.judgement.releases.map((release) => JSON.stringify(detailsOf(release))),
    );
  });
});
