/** The rules for the name of a component in a comment. */
import type { Component, Release } from '../../core/schema/published.ts';
import { findComponent, type Index } from '../load-index.ts';
import { belowComment } from './comments.ts';
import { describeComment, type Conditions } from './conditions.ts';
import { removePrefix } from './version-patterns.ts';

export function createComponentRules(component: Component, index: Index): object[] {
  const { latest, releases, replacedBy } = component;
  const ofName = describeComment([component], index.settings.datasource);
  const rules: object[] = [];
  if (/^v?[\d.]+\D+$/i.test(latest ?? '')) {
    // The rule of variants compares without the suffix, so the latest version would be above the tag `latest`.
    rules.push({ ...ofName, ...belowComment, respectLatest: false });
  }
  const fixes = releases.filter(({ isTrustedFix }) => isTrustedFix);
  if (fixes.length > 0) {
    rules.push(createFixRule(fixes, ofName));
  }
  const other = findComponent(replacedBy, index);
  if (other?.latest !== undefined) {
    rules.push(createReplacement(component, other.component, other.latest, ofName));
    const changelogUrl = `${index.settings.releasesUrl}/${other.component}.html`;
    rules.push({ ...ofName, matchUpdateTypes: ['replacement'], changelogUrl });
  }
  return rules;
}

/** A fix that the definition states does not wait. */
function createFixRule(fixes: readonly Release[], ofName: Conditions): object {
  const spellings = fixes.flatMap(({ version }) => [version, removePrefix(version)]);
  const names = JSON.stringify([...new Set(spellings)]);
  // While Renovate filters by age, only `version` is set; later, `newVersion`.
  const matchJsonata = [`version in ${names} or newVersion in ${names}`];
  return { ...ofName, matchJsonata, minimumReleaseAge: '0 days' };
}

function createReplacement(
  { component, renamedFrom = [], latest }: Component,
  replacementName: string,
  version: string,
  ofName: Conditions,
): object {
  return {
    ...ofName,
    ...belowComment,
    // Without a release to look up, Renovate proposes no replacement, unless the versioning admits none.
    ...(latest === undefined && { versioning: 'regex:^(?<major>none)$' }),
    // A comment with the name of a file has no such name in the other component.
    matchPackageNames: [component, ...renamedFrom],
    replacementName,
    replacementVersion: removePrefix(version),
  };
}
