import type { Definition } from '../core/schemas/definition.ts';
import { sourceIds, type Source } from '../core/schemas/source.ts';
import type { JudgedRelease } from './judge.ts';

/**
 * The source that every release in use comes from, spelled as it spells it; undefined where they come from several, or where a
 * person recorded one. Of what was never gathered it is the only source there is.
 */
export function soleSource({ sources }: Definition, releases: readonly JudgedRelease[]): Source | undefined {
  const inUse = releases.filter((release) => !release.isDeprecated);
  const [id, ...others] = new Set(inUse.map(({ recorded }) => recorded.source));
  if (others.length > 0) return undefined;
  if (id === undefined) return sources.length === 1 ? sources[0] : undefined;
  return sources[sourceIds(sources).indexOf(id)];
}
