/** What pages and the preset say alike. */
import { countDays, type Day } from '../core/day.ts';
import type { Index } from '../core/judged-index.ts';
import type { Component, Release } from '../core/schema/published.ts';
import { formatCount } from '../core/text.ts';

/** `in 7 weeks`, of a day at most some months away. */
export function describeDistance(from: Day, to: Day): string {
  const days = countDays(from, to);
  if (days === 0) {
    return 'today';
  }

  const [size, unit] =
    Math.abs(days) < 14 ? [Math.abs(days), 'day'] : [Math.round(Math.abs(days) / 7), 'week'];
  const words = formatCount(size, unit);
  return days > 0 ? `in ${words}` : `${words} ago`;
}

/** The component to use instead, with its latest version. */
export function viewReplacement({ replacedBy }: Component, { components }: Index) {
  const other = components.find(({ component }) => component === replacedBy);
  return other && { name: other.component, title: other.title, version: other.latest };
}

/** What is known of advisories on a release, in a sentence. */
export function describeSecurity({ advisories, severity }: Release): string {
  if (advisories === undefined) {
    return 'Advisories: not known.';
  }

  return advisories.length === 0
    ? ''
    : `Affected by ${advisories.join(', ')}${severity ? ` (${severity})` : ''}.`;
}

/** Without that of its line, which stands there. */
export function listOwnReasons({ reasons }: Release) {
  return reasons.filter(({ rule }) => rule !== 'support policy');
}
