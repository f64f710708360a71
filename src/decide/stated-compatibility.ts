import type { Day } from '../core/dates.ts';
import type { Definition } from '../core/schemas/definition.ts';
import type { RecordedRelease } from '../core/schemas/recorded.ts';
import { sourceIds } from '../core/schemas/source.ts';
import type { Compatibility, WorksWith } from '../core/schemas/works-with.ts';
import { parseVersion } from '../core/version.ts';

/** As many releases as one range names. */
const mostInRange = 200;

/** What a component states of others: by hand, and by the sources that the definition names. */
export function worksWithOf(
  definition: Definition,
  releases: readonly RecordedRelease[],
  day: Day,
): WorksWith | undefined {
  const ids = new Set(sourceIds(definition.sources));
  const stated = releases.flatMap(({ version, worksWith = [] }) =>
    parseVersion(version)
      ? worksWith
          .filter(({ source, firstSeen }) => ids.has(source) && firstSeen <= day)
          .map(({ other, source: _, firstSeen: __, lastSeen: ___, ...bounds }) => ({
            other,
            version,
            bounds,
          }))
      : [],
  );
  if (stated.length === 0) return definition.worksWith;
  const all: Record<string, Compatibility[]> = structuredClone(definition.worksWith ?? {});
  const alike = Map.groupBy(stated, ({ other, bounds }) => JSON.stringify([other, bounds]));
  for (const of of alike.values())
    for (let at = 0; at < of.length; at += mostInRange) {
      const { other, bounds } = of[0]!;
      const versions = of.slice(at, at + mostInRange).map(({ version }) => `=${version}`);
      all[other] = [...(all[other] ?? []), { versions: versions.join(' || '), ...bounds }];
    }
  return all;
}
