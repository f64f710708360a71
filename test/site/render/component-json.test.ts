import { describe, expect, it } from 'vitest';
import { detailsOf } from '../../../src/decide/details.ts';
import { DetailsFile } from '../../../src/core/schemas/published/details-file.ts';
import type { ReleaseFile } from '../../../src/core/schemas/published/release-file.ts';
import type { Component } from '../../../src/decide/component.ts';
import type { JudgedRelease } from '../../../src/decide/judge.ts';
import { renderDetailsFile, renderReleaseFile } from '../../../src/site/render/component-json.ts';
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

describe('a release that its source listed later than it is dated', () => {
  const entry = (notListedOn: string) => ({
    version: '1.4',
    releaseTimestamp: '2026-05-25T10:00:00Z',
    source: 'npm:a',
    notListedOn,
  });
  const timestampIn = (component: Component) =>
    (JSON.parse(renderReleaseFile(component)) as ReleaseFile).releases[0]!.releaseTimestamp;

  it('begins its waiting time when its source still lacked it, and keeps the stated day in the details', () => {
    const component = componentOf([entry('2026-06-01')], { support: { policy: 'term', months: 6 } });

    expect(timestampIn(component)).toBe('2026-06-01T00:00:00Z');
    expect(detailsOf(component).releases[0]).toMatchObject({
      releaseTimestamp: '2026-05-25T10:00:00Z',
      notListedOn: '2026-06-01',
    });
    expect(detailsOf(component).lines[0]!.supportedUntil).toBe('2026-11-25');
  });

  it('never begins in the future', () => {
    expect(timestampIn(componentOf([entry('2099-06-01')]))).toBe('2026-06-30T00:00:00Z');
  });
});

/** On the day of the build. */
const states: Record<string, object> = {
  '1.0': { state: 'ended', releasesBehind: 2 },
  '1.1-odd+CU1': { state: 'withdrawn', releasesBehind: 2 },
  '2.0': { state: 'supported', releasesBehind: 1, behind: 'P2D' },
  '2.1-rc1': { state: 'supported', releasesBehind: 1, behind: 'P1D' },
  '3.0': { state: 'supported' },
};

/** The keys of a record in their order; what is not known is left out. */
function known(release: JudgedRelease): string {
  const { source, alsoListedBy = [], firstSeen, withdrawnSince, republished } = release.recorded;
  const some = <T>(list: readonly T[]) => (list.length > 0 ? list : undefined);
  return JSON.stringify({
    version: release.version,
    line: release.line,
    isPrerelease: release.isPrerelease,
    releaseTimestamp: release.releaseTimestamp,
    timestampKind: release.timestampKind,
    changelogUrl: release.changelogUrl,
    sources: source === undefined ? undefined : [source, ...alsoListedBy],
    firstSeen,
    withdrawnSince,
    reasons: some(release.reasons),
    republishedOn: republished?.on,
    onBuildDay: states[release.version],
  });
}
