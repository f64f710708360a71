import type { Definition, Deprecation } from '../core/schemas/definition.ts';
import { isSelected } from '../core/schemas/selected-versions.ts';
import { listingSources } from '../core/schemas/recorded.ts';
import { isStaticId } from '../core/schemas/source.ts';
import { defined } from '../core/text.ts';
import type { Reason } from '../core/schemas/published/details-file.ts';
import type { Release } from './releases.ts';

/** Finds the reasons to deprecate a release regardless of its line: the definition, upstream's word, or its withdrawal. */
export function ownReasons(definition: Definition): (release: Release) => Reason[] {
  const rules = (definition.deprecated ?? []).map((entry) => ({
    matches: matcher(entry),
    reason: toReason(entry),
  }));
  return (release) =>
    [
      ...rules.filter((rule) => rule.matches(release)).map((rule) => rule.reason),
      upstreamReason(definition, release),
      withdrawnReason(release),
    ].filter((reason) => reason !== undefined);
}

function upstreamReason(definition: Definition, release: Release): Reason | undefined {
  if (definition.ignoreUpstreamDeprecation || !release.upstreamDeprecation) return undefined;
  const { reason, since } = release.upstreamDeprecation;
  const claims = listingSources(release.recorded);
  const isOwnWord = claims.length > 0 && claims.every(isStaticId);
  const text = `Deprecated ${isOwnWord ? 'in the definition' : 'upstream'}: ${reason}`;
  return defined({ rule: 'upstream', text, from: since } as const);
}

function withdrawnReason(release: Release): Reason | undefined {
  const { withdrawnSince, source = 'Upstream' } = release.recorded;
  if (withdrawnSince === undefined) return undefined;
  const where = isStaticId(source) ? 'The definition' : source;
  return {
    rule: 'withdrawn',
    text: `${where} has not listed it since ${withdrawnSince}.`,
    from: withdrawnSince,
  };
}

function matcher({ versions }: Deprecation): (release: Release) => boolean {
  const isAmong = isSelected(versions);
  return ({ version }) => isAmong(version);
}

function toReason({ reason, since, url }: Deprecation): Reason {
  return defined({ rule: 'definition', text: reason, from: since, url } as const);
}
