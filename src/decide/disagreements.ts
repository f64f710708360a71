import type { z } from 'zod';
import { contradiction } from '../core/schemas/artifact-digests.ts';
import type { Definition } from '../core/schemas/definition.ts';
import type { PublishedDisagreement } from '../core/schemas/published/details-file.ts';
import type { PublishedDisagreements } from '../core/schemas/published/status-file.ts';
import type { RecordedRelease } from '../core/schemas/recorded.ts';
import { sourceId, sourceIds } from '../core/schemas/source.ts';
import { defined } from '../core/text.ts';
import type { Release } from './releases.ts';

/** Two sources of a definition that state different facts of a release, and which of them takes precedence. */
export type Disagreement = z.infer<typeof PublishedDisagreement>;

/** What is recorded of disagreements, between sources that the definition still names. */
export function disagreementsIn({
  sources,
}: Pick<Definition, 'sources'>): (entry: RecordedRelease) => Disagreement[] {
  const ids = sourceIds(sources);
  const places = new Map(ids.map((id, place) => [id, place]));
  // One package in two registries: what both have under one name should be the same.
  const copies = [...Map.groupBy(ids, (_, place) => sourceId(sources[place]!)).values()].filter(
    (of) => of.length > 1,
  );
  return ({ dissent = [], digests }) => {
    const told = dissent.flatMap(({ source, field, value, over }): Disagreement | [] => {
      const [place, placeOver] = [places.get(source), places.get(over)];
      if (place === undefined || placeOver === undefined) return [];
      const why = placeOver < place ? 'listed first' : 'recorded first';
      return defined({ field, source, value, over, why } as const);
    });
    return digests === undefined ? told : [...told, ...copies.flatMap((of) => differing(of, digests))];
  };
}

/** Where a copy states another digest of an artifact than the copy that is listed first. */
function differing(
  copies: readonly string[],
  digests: NonNullable<RecordedRelease['digests']>,
): Disagreement[] {
  const first = new Map<string, { over: string; digest: string }>();
  const found: Disagreement[] = [];
  for (const source of copies) {
    for (const [artifact, digest] of Object.entries(digests[source] ?? {})) {
      const standing = first.get(artifact);
      if (!standing) first.set(artifact, { over: source, digest });
      else if (contradiction(standing.digest, digest)) {
        const value = `${artifact} ${digest}`;
        found.push({ field: 'digests', source, value, over: standing.over, why: 'listed first' });
      }
    }
  }
  return found;
}

/** All that one source says against another. */
export type SourceDisagreement = z.infer<typeof PublishedDisagreements>;

/** The disagreements of a component, by who disagrees with whom. The releases are given oldest first. */
export function summariseDisagreements(
  definition: Pick<Definition, 'sources'>,
  releases: readonly Pick<Release, 'version' | 'recorded'>[],
): SourceDisagreement[] {
  if (definition.sources.length < 2) return [];
  const of = disagreementsIn(definition);
  const all = releases.flatMap(({ version, recorded }) => of(recorded).map((one) => ({ ...one, version })));
  const groups = Map.groupBy(all, ({ source, over, why }) => JSON.stringify([source, over, why]));
  return Array.from(groups.values(), (group) => {
    const { source, over, why } = group[0]!;
    const versions = new Set(group.map(({ version }) => version));
    const fields = [...new Set(group.map(({ field }) => field))].sort();
    return { source, over, why, fields, releases: versions.size, last: group.at(-1)!.version };
  });
}
