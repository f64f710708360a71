import { isInAllowedRange, parseAllowedRange } from '../core/model/source-expressions.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import { allowedVersionsPattern, mapSourcesById } from '../core/schemas/definition/source.ts';
import { listSourcesListing, type RecordedRelease } from '../core/schemas/recorded/recorded.ts';
import { compileExpression } from '../core/text/expression.ts';

/** Tests versions by a rule in the form of `AllowedVersions`; without a rule, every version passes. */
export function createVersionFilter(rule: string | undefined): (version: string) => boolean {
  if (rule === undefined) {
    return () => true;
  }

  const [, negation, pattern, flag] = allowedVersionsPattern.exec(rule) ?? [];
  if (pattern === undefined) {
    // The schema has parsed it.
    const range = parseAllowedRange(rule)!;
    return (version) => isInAllowedRange(range, version);
  }

  const expression = compileExpression(pattern, flag === 'i' ? 'i' : '');
  const isNegated = negation === '!';
  return (version) => expression.test(version) !== isNegated;
}

/**
 * Tests whether a definition still admits a release that was recorded under an earlier definition: at least one of the sources that
 * listed it must allow it. Releases recorded by hand, or from a source that was removed, stay. `extractVersion` does not matter: it
 * was applied before recording.
 */
export function createAdmission({
  sources,
  prereleases,
}: Definition): (release: RecordedRelease, isPrerelease: boolean) => boolean {
  const filters = new Map<string, (version: string) => boolean>();
  for (const [id, { allowedVersions }] of mapSourcesById(sources)) {
    filters.set(id, createVersionFilter(allowedVersions));
  }

  return (release, isPrerelease) => {
    const sourceIds = listSourcesListing(release).filter((id) => filters.has(id));
    if (sourceIds.length === 0) {
      return true;
    }
    if (isPrerelease && prereleases !== true) {
      return false;
    }

    return sourceIds.some((id) => filters.get(id)?.(release.version));
  };
}
