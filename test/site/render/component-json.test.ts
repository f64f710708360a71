import { describe, expect, it } from 'vitest';
import { detailsOf } from '../../../src/decide/details.ts';
import { DetailsFile } from '../../../src/core/schemas/published/details-file.ts';
import type { JudgedRelease } from '../../../src/decide/judge.ts';
import { renderDetailsFile } from '../../../src/site/render/component-json.ts';
import { componentOf } from './sites.ts';

describe('the details file of a component', () => {
  it('says of each release what is known of it, and nothing else', () => {
    const component = componentOf(
      [
        { version: '1.0' },
        {
          version: '1.1-odd+CU1',
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
          republished: { on: '2026-06-04', from: 'a sha256:0', to: 'a sha256:1' },
        },
      ],
      {
        support: { policy: 'term', months: 6 },
        deprecated: [
          { versions: ['3.0'], reason: 'Broken', url: 'https://example.com/3', since: '2026-07-01' },
        ],
      },
    );

    const expected = component.judgement.releases.map(known);
    const document = JSON.parse(renderDetailsFile(detailsOf(component))) as DetailsFile;
    expect(document.releases.map((release) => JSON.stringify(release))).toEqual(expected);
    expect(DetailsFile.parse(document)).toEqual(detailsOf(component));
    expect(expected).toHaveLength(5);
  });
});

const term = 'a release line is supported for 6 months.';
const verdicts: Record<string, string> = {
  '1.0': `Deprecated by the support policy: 1.0 was first released no later than 2025-01-01; ${term}`,
  '1.1-odd+CU1': `Deprecated since 2025-01-02 by its source: Deprecated upstream: Use <2>, "or" 3. Deprecated since 2025-02-01 by withdrawal: npm:"a" has not listed it since 2025-02-01. Deprecated since 2025-07-01 at the latest, by the support policy: 1.1 was first released no later than 2025-01-01; ${term}`,
  '2.0': `Supported. Leaves support on 2026-12-01: 2.0 was first released on 2026-06-01; ${term}`,
  '2.1-rc1': `Supported. Leaves support on 2026-12-02: 2.1 was first released on 2026-06-02; ${term}`,
  '3.0': `Supported. Leaves support on 2026-12-03: 3.0 was first released on 2026-06-03; ${term} Will be deprecated from 2026-07-01 by the definition's list: Broken.`,
};

const statuses: Record<string, string> = {
  '1.0': 'deprecated',
  '1.1-odd+CU1': 'withdrawn',
};

/** The keys of a record in their order; what is not known is left out. */
function known(release: JudgedRelease): string {
  const { source, alsoListedBy = [], firstSeen, withdrawnSince, republished } = release.recorded;
  const some = <T>(list: readonly T[]) => (list.length > 0 ? list : undefined);
  return JSON.stringify({
    version: release.version,
    line: release.line,
    status: statuses[release.version] ?? 'supported',
    isDeprecated: release.isDeprecated,
    isPrerelease: release.isPrerelease,
    verdict: verdicts[release.version],
    releaseTimestamp: release.releaseTimestamp,
    timestampKind: release.timestampKind,
    changelogUrl: release.changelogUrl,
    sources: source === undefined ? undefined : [source, ...alsoListedBy],
    firstSeen,
    withdrawnSince,
    reasons: some(release.reasons),
    upcoming: some(release.upcoming),
    republishedOn: republished?.on,
  });
}
