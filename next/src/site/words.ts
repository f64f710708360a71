/** Words that pages, feeds and notes of Renovate share. */
import type { Index } from '../core/judged-index.ts';
import type { Component, MoveTarget, Release } from '../core/schema/published.ts';

/** The advisories on a release in a sentence; empty where none is known. */
export function describeSecurity(release: Release): string {
  const { advisories = [], severity, exploitedSince, dueBy } = release;
  const facts = [
    severity,
    exploitedSince && `exploited since ${exploitedSince}`,
    dueBy && `fix due by ${dueBy}`,
  ].filter(Boolean);
  const details = facts.length > 0 ? ` (${facts.join(', ')})` : '';
  return advisories.length > 0 ? `Affected by ${advisories.join(', ')}${details}.` : '';
}

/** The component to use instead. */
export function findReplacement({ replacedBy }: Component, { components }: Index) {
  return components.find(({ component }) => component === replacedBy);
}

/** `2026.3`, or `Edge node 2.1.0` of another component. */
export function describeTarget(
  { component, version }: MoveTarget,
  from: Component,
  { components }: Index,
): string {
  const { title } = components.find((each) => each.component === component)!;
  return component === from.component ? version : `${title} ${version}`;
}

/** The comment that names the component of the version below it, without the characters that begin a comment. */
export function writeComment(datasource: string, component: string): string {
  return `renovate: datasource=custom.${datasource} depName=${component}`;
}
