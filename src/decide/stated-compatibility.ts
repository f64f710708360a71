import type { Day } from '../core/dates.ts';
import type { Definition } from '../core/schemas/definition.ts';
import type { RecordedRelease } from '../core/schemas/recorded.ts';
import { sourceIds } from '../core/schemas/source.ts';
import type { Compatibility, WorksWith } from '../core/schemas/works-with.ts';
import { parseVersion } from '../core/version.ts';

/** Limits the length of a range. */
const mostInRange = 200;

/** A component's statements on other components, from its definition and its sources. */
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
  if (stated.length === 0) {
    return definition.worksWith;
  }
  const all: Record<string, Compatibility[]> = structuredClone(definition.worksWith ?? {});
  const alike = Map.groupBy(stated, ({ other, bounds }) => JSON.stringify([other, bounds]));
  for (const group of alike.values()) {
    for (let at = 0; at < group.length; at += mostInRange) {
      const { other, bounds } = group[0];
      const versions = group.slice(at, at + mostInRange).map(({ version }) => `=${version}`);
      all[other] = [...(all[other] ?? []), { versions: versions.join(' || '), ...bounds }];
    }
  }
  return all;
}
