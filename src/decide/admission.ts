import { compileExpression } from '../core/expression.ts';
import type { Definition } from '../core/schemas/definition.ts';
import { listingSources, type RecordedRelease } from '../core/schemas/recorded.ts';
import { sourceIds } from '../core/schemas/source.ts';
import { parseAllowedRange } from '../core/allowed-range.ts';
import { allowedVersionsPattern } from '../core/schemas/source-fields.ts';
import { isPrereleaseForm } from '../core/prerelease.ts';

/** Which versions `allowedVersions` takes, as in Renovate (docs/usage/configuration-options.md): a regular expression or a semver range. */
export function allowedVersions(rule: string | undefined): (version: string) => boolean {
  if (rule === undefined) return () => true;
  const pattern = allowedVersionsPattern.exec(rule);
  if (!pattern) return parseAllowedRange(rule)!;
  const expression = compileExpression(pattern[2]!, pattern[3] === 'i' ? 'i' : '');
  const wanted = pattern[1] !== '!';
  return (version) => expression.test(version) === wanted;
}

/**
 * Whether a definition still admits what was recorded under an earlier one. A release is admitted if any source that has
 * listed it takes it. Releases that were recorded by hand, or from a source that is no longer asked, stay. `extractVersion` has no
 * say: a recorded version is what was left after it.
 */
export function admission({ sources, prereleases }: Definition): (entry: RecordedRelease) => boolean {
  const ids = sourceIds(sources);
  const takes = new Map(ids.map((id, index) => [id, allowedVersions(sources[index]!.allowedVersions)]));
  return (entry) => {
    const asked = listingSources(entry).flatMap((id) => takes.get(id) ?? []);
    if (asked.length === 0) return true;
    const { version, isPrerelease = isPrereleaseForm(version) } = entry;
    return (prereleases === true || !isPrerelease) && asked.some((isAllowed) => isAllowed(version));
  };
}
