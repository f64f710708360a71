/** Words that pages, feeds and notes of Renovate share. */
import { countDays, type Day } from '../core/day.ts';
import type { Index } from '../core/judged-index.ts';
import type { Component, MoveTarget, Reason, Release } from '../core/schema/published.ts';
import { formatCount } from '../core/text.ts';

/** `in 7 weeks`, of a day at most some months ahead. */
export function describeDistance(from: Day, to: Day): string {
  const days = countDays(from, to);
  if (days === 0) {
    return 'today';
  }

  return `in ${days < 14 ? formatCount(days, 'day') : formatCount(Math.round(days / 7), 'week')}`;
}

/** What is known of advisories on a release, in a sentence; empty where it is known to have none. */
export function describeSecurity({
  advisories,
  severity,
  exploitedSince,
  dueBy,
}: Pick<Release, 'advisories' | 'severity' | 'exploitedSince' | 'dueBy'>): string {
  if (advisories === undefined) {
    return 'Advisories: not known.';
  }

  const facts = [
    severity,
    exploitedSince && `exploited since ${exploitedSince}`,
    dueBy && `fix due by ${dueBy}`,
  ].filter(Boolean);
  const details = facts.length > 0 ? ` (${facts.join(', ')})` : '';
  return advisories.length === 0 ? '' : `Affected by ${advisories.join(', ')}${details}.`;
}

/** The reasons of a release without that of its line. */
export function listOwnReasons({ reasons }: Release): Reason[] {
  return reasons.filter(({ rule }) => rule !== 'support policy');
}

/** The component to use instead, with its latest version. */
export function viewReplacement({ replacedBy }: Component, { components }: Index) {
  const other = components.find(({ component }) => component === replacedBy);
  return other && { name: other.component, title: other.title, version: other.latest };
}

/** `2026.3`, or `Edge node 2.1.0` of another component. */
export function describeTarget(
  { component, version }: MoveTarget,
  from: Component,
  { components }: Index,
): string {
  const other = components.find((each) => each.component === component);
  return component === from.component ? version : `${other?.title ?? component} ${version}`;
}

/** The comment that names the component of the version below it, without the characters that begin a comment. */
export function writeComment(datasource: string, component: string): string {
  return `renovate: datasource=custom.${datasource} depName=${component}`;
}
