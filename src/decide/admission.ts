import { parseAllowedRange } from '../core/model/source-expressions.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import { allowedVersionsPattern, sourcesById } from '../core/schemas/definition/source.ts';
import { listingSources, type RecordedRelease } from '../core/schemas/recorded/recorded.ts';
import { compileExpression } from '../core/text/expression.ts';

/** Tests versions by `allowedVersions`, a regular expression or semver range as in Renovate (docs/usage/configuration-options.md). */
export function allowedVersions(rule: string | undefined): (version: string) => boolean {
  if (rule === undefined) {
    return () => true;
  }

  const pattern = allowedVersionsPattern.exec(rule);
  if (!pattern) {
    return parseAllowedRange(rule)!;
  }

  const expression = compileExpression(pattern[2]!, pattern[3] === 'i' ? 'i' : '');
  const wanted = pattern[1] !== '!';
  return (version) => expression.test(version) === wanted;
}

/** A recorded release with its version and form. */
interface CandidateRelease {
  readonly version: string;
  readonly isPrerelease: boolean;
  readonly recorded: RecordedRelease;
}

/**
 * Whether a definition still admits a release recorded under an earlier definition: at least one of the sources that listed it
 * must allow it. Releases recorded by hand, or from a source that was removed, stay. `extractVersion` does not matter: it was
 * applied before recording.
 */
export function admission({
  sources,
  prereleases,
}: Definition): (release: CandidateRelease) => boolean {
  const tests = new Map(
    Array.from(sourcesById(sources), ([id, source]) => [
      id,
      allowedVersions(source.allowedVersions),
    ]),
  );

  return ({ version, isPrerelease, recorded }) => {
    const listing = listingSources(recorded).filter((id) => tests.has(id));
    if (listing.length === 0) {
      return true;
    }

    return (prereleases === true || !isPrerelease) && listing.some((id) => tests.get(id)!(version));
  };
}
