import type { Definition } from '../core/schemas/definition.ts';
import { isSelected } from '../core/schemas/selected-versions.ts';
import { listingSources } from '../core/schemas/recorded.ts';
import { isStaticId } from '../core/schemas/source.ts';
import { defined } from '../core/text.ts';
import type { Reason } from '../core/schemas/published/details-file.ts';
import { deprecatedSince, type Release } from './releases.ts';

/** Finds the reasons to deprecate a release regardless of its line: the definition, upstream's word, or its withdrawal. */
export function ownReasons(definition: Definition): (release: Release) => Reason[] {
  const rules = (definition.deprecated ?? []).map(({ versions, reason: text, since: from, url }) => ({
    includes: isSelected(versions),
    reason: defined({ rule: 'definition', text, from, url } as const),
  }));
  return (release) =>
    [
      ...rules.filter(({ includes }) => includes(release.version)).map(({ reason }) => reason),
      upstreamReason(definition, release),
      withdrawnReason(release),
    ].filter((reason) => reason !== undefined);
}

function upstreamReason(
  { ignoreUpstreamDeprecation }: Definition,
  { recorded }: Release,
): Reason | undefined {
  const { deprecated } = recorded;
  if (ignoreUpstreamDeprecation || deprecated === undefined) return undefined;
  const sources = listingSources(recorded);
  const isOwn = sources.length > 0 && sources.every(isStaticId);
  const text = `Deprecated ${isOwn ? 'in the definition' : 'upstream'}: ${deprecated}`;
  return defined({ rule: 'upstream', text, from: deprecatedSince(recorded) } as const);
}

function withdrawnReason(release: Release): Reason | undefined {
  const { withdrawnSince, source = 'Upstream' } = release.recorded;
  if (withdrawnSince === undefined) return undefined;
  const text = `${isStaticId(source) ? 'The definition' : source} has not listed it since ${withdrawnSince}.`;
  return { rule: 'withdrawn', text, from: withdrawnSince };
}
