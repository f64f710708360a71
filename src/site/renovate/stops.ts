/**
 * Keeps Renovate from skipping a required stop. A component has one rule, whose `allowedVersions` is a Handlebars template. For each pin, the
 * template finds the lowest stop above the version in use, and allows only versions up to this stop:
 *
 *     {{#if (replace '^(…)$|^.*$' '$1' currentVersion)}}/^v?(?:…)$/    the version in use is below 17.3: up to 17.3
 *     {{else if (replace '^(…)$|^.*$' '$1' currentVersion)}}/^v?(?:…)$/    it is below 17.5: up to 17.5
 *     {{else}}/./{{/if}}                                                   no stop is above it: all versions
 *
 * A filter in `transformTemplates` (with `currentValue`) would be shorter. But Renovate keeps its result for all pins of a component in a
 * repository, so the second pin would get the versions of the first.
 */
import type { Component } from '../../core/schema/published.ts';
import { matchBelow, matchUpTo } from './version-bounds.ts';

/** Creates a rule for each condition. `conditions` match a component's names in comments, or its packages. */
export function createStopRules(
  { requiredStops }: Component,
  conditions: readonly object[],
): object[] {
  const branches = (requiredStops?.stops ?? []).map(({ stop, line }) => {
    const isBelow = `(replace '^v?(${matchBelow(stop)})$|^.*$' '$1' currentVersion)`;
    return `if ${isBelow}}}/^v?(?:${matchUpTo(line)})$/`;
  });
  if (branches.length === 0) {
    return [];
  }

  const allowedVersions = `{{#${branches.join('{{else ')}{{else}}/./{{/if}}`;
  return conditions.map((condition) => ({ ...condition, allowedVersions }));
}
