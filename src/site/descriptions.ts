/** Describes facts in words, and groups release lines, for pages, feeds, calendars and Renovate's notes. */
import type { DayRange } from '../core/day.ts';
import { describeParts, describeUnproven, describeWay } from '../core/phrases.ts';
import type { Component, Line, Release } from '../core/schema/published.ts';
import { findComponent, type Index } from './load-index.ts';

/** Describes the advisories and the missing provenance of a release in sentences. Empty if there is nothing to describe. */
export function describeSecurity(release: Release): string {
  const ids = release.advisories?.join(', ');
  const affected = ids ? `Affected by ${ids}${describeRisk(release)}.` : '';
  return `${affected} ${describeUnproven(release) ?? ''}`.trim();
}

/** Describes the severity and the exploitation of a vulnerability: ` (high, exploited since 2026-01-31)`. Empty if nothing is known. */
export function describeRisk({
  severity,
  exploitedSince,
  dueBy,
}: Pick<Release, 'severity' | 'exploitedSince' | 'dueBy'>): string {
  const facts = [
    severity,
    exploitedSince && `exploited since ${exploitedSince}`,
    dueBy && `fix due by ${dueBy}`,
  ].filter(Boolean);
  return facts.length > 0 ? ` (${facts.join(', ')})` : '';
}

/** Groups release lines with the same end of support, in version order. Leaves out lines whose end is unknown. */
export function groupByEnd({ lines }: Component) {
  return groupLines(lines, ({ supportedUntil: from, supportedUntilAtMost: atMost }) => {
    return { from, atMost };
  });
}

/** Groups release lines with the same end of paid support, in version order. Leaves out lines without a known end of paid support. */
export function groupByPaidEnd({ lines }: Component) {
  return groupLines(lines, ({ paidUntil: from, paidUntilAtMost: atMost }) => ({ from, atMost }));
}

function groupLines(lines: readonly Line[], readEnd: (line: Line) => DayRange) {
  const groups = Map.groupBy(lines, (line) => {
    const { from, atMost } = readEnd(line);
    return JSON.stringify([from, atMost, line.isInferred]);
  });
  return [...groups.values()].flatMap((group) => {
    const [oldest, newest] = [group[0]!, group.at(-1)!];
    const { from, atMost } = readEnd(oldest);
    const day = from ?? atMost;
    return day === undefined ? [] : { lines: group, oldest, newest, day };
  });
}

/**
 * Describes the version to move to: `2026.3`, `18.2.1 through 17.11.2`, or `Edge node 2.1.0` if it belongs to another component. If the
 * component was split: `what you need of Orders 1.2 and Billing 3.0`.
 */
export function describeTarget(
  { moveTo, moveToParts, through }: Line,
  from: Component,
  index: Index,
) {
  if (moveToParts) {
    return describeParts(moveToParts, (part) => findComponent(part, index)!.title);
  }

  const isOther = moveTo && moveTo.component !== from.component;
  const other = isOther && findComponent(moveTo.component, index);
  return other
    ? `${other.title} ${moveTo.version}`
    : moveTo && moveTo.version + describeWay(through);
}
