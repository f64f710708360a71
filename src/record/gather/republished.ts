import type { RecordedRelease } from '../../core/schemas/recorded.ts';
import { counted, defined } from '../../core/text.ts';
import { rankKey } from '../../core/version.ts';
import { contradictionsIn } from './recorded-digests.ts';
import type { StatedRelease } from './stated-release.ts';

/** A release of which a source now serves other bytes than those recorded. */
export interface Republished {
  release: StatedRelease;
  /** Name, recorded digest and stated digest of each. */
  artifacts: [artifact: string, recorded: string, stated: string][];
}

export function republishedBy(
  id: string,
  releases: readonly StatedRelease[],
  byRank: ReadonlyMap<string, RecordedRelease>,
): Republished[] {
  return releases.flatMap((release) => {
    if (release.digests === undefined) return [];
    const artifacts = contradictionsIn(byRank.get(rankKey(release.version)), id, release.digests);
    return artifacts.length > 0 ? [{ release, artifacts }] : [];
  });
}

/** As many as a finding has room for: a digest can have 128 digits. */
const mostTold = 2;

export function describeRepublished(republished: readonly Republished[]): string {
  const all = republished.flatMap(({ release, artifacts }) =>
    artifacts.map(
      ([artifact, recorded, stated]) =>
        `${release.version.text} (${artifact} was ${recorded} and is ${stated})`,
    ),
  );
  const more = all.length > mostTold ? ` and ${counted(all.length - mostTold, 'more artifact')}` : '';
  return (
    `was republished, as artifacts have other bytes than those recorded: ${all.slice(0, mostTold).join(', ')}${more}. ` +
    'The recorded digests stay and the new ones wait; the rest is taken.'
  );
}

/** A line for each that waits, as exact as what a person has looked at. */
export function linesOfRepublished(republished: readonly Republished[]): string[] {
  return republished.flatMap(({ release, artifacts }) =>
    artifacts.map(([artifact, , stated]) => `~ ${release.version.text} ${artifact} ${stated}`),
  );
}

/** The release without the digests that wait. */
export function withoutDigests({ release, artifacts }: Republished): StatedRelease {
  const waiting = new Set(artifacts.map(([artifact]) => artifact));
  const rest = Object.entries(release.digests ?? {}).filter(([artifact]) => !waiting.has(artifact));
  return defined({ ...release, digests: rest.length > 0 ? Object.fromEntries(rest) : undefined });
}
