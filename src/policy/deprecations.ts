import { createRequire } from 'node:module';
import type Semver from 'semver';
import type { Definition, Deprecation } from '../model/definition.ts';
import type { Release } from './release.ts';
import { compareVersions, parseVersion } from '../version.ts';
import type { Reason } from './reason.ts';

const none: readonly Reason[] = [];

/** What the definition's `deprecated` list says of a release. */
export function listedReasons(definition: Definition): (release: Release) => readonly Reason[] {
  const rules = (definition.deprecated ?? []).map((entry) => ({
    matches: matcher(entry),
    reason: toReason(entry),
  }));
  if (rules.length === 0) return () => none;
  return (release) => rules.filter((rule) => rule.matches(release)).map((rule) => rule.reason);
}

export function upstreamReason(definition: Definition, release: Release): Reason | undefined {
  if (definition.ignoreUpstreamDeprecation || !release.upstreamDeprecation) return undefined;
  const { reason, since } = release.upstreamDeprecation;
  return {
    rule: 'upstream',
    text: `Deprecated upstream: ${reason}`,
    ...(since !== undefined && { from: since }),
  };
}

export function withdrawnReason(release: Release): Reason | undefined {
  const { withdrawnSince, source: where = 'Upstream' } = release.recorded;
  if (withdrawnSince === undefined) return undefined;
  return {
    rule: 'withdrawn',
    text: `${where} has not listed it since ${withdrawnSince}.`,
    from: withdrawnSince,
  };
}

function matcher(entry: Deprecation): (release: Release) => boolean {
  const { versions } = entry;
  if (typeof versions === 'string') {
    // Loaded only here: few definitions name a range.
    const semver = createRequire(import.meta.url)('semver') as typeof Semver;
    const range = new semver.Range(versions, { loose: true });
    return (release) => {
      const coerced = semver.coerce(release.version, { loose: true });
      return coerced !== null && range.test(coerced);
    };
  }
  const exact = new Set(versions);
  const parsed = versions.map(parseVersion).filter((version) => version !== undefined);
  return (release) =>
    exact.has(release.version) || parsed.some((version) => compareVersions(version, release.parsed) === 0);
}

function toReason(entry: Deprecation): Reason {
  return {
    rule: 'definition',
    text: entry.reason,
    ...(entry.since !== undefined && { from: entry.since }),
    ...(entry.url !== undefined && { url: entry.url }),
  };
}
