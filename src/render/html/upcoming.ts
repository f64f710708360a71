import type { Day } from '../../dates.ts';
import type { Judgement } from '../../policy/judge.ts';
import { releaseAnchor } from '../addresses.ts';
import { sentence } from '../../text.ts';

/** A change that will come on a known day by itself. */
export interface Upcoming {
  day: Day;
  /** Anchor of the line or release on the page. */
  anchor: string;
  subject: string;
  event: string;
  /** A sentence; empty where the event speaks for itself. */
  reason: string;
}

/** The coming changes, soonest first. */
export function upcomingOf({ day, lines, releases }: Judgement): Upcoming[] {
  const upcoming: Upcoming[] = [];
  for (const { name, isSupported, eolFrom, reason } of lines) {
    if (!isSupported || eolFrom === undefined) continue;
    const line = { anchor: `line-${name}`, subject: name, reason: '' };
    if (reason?.from !== undefined && reason.from > day && reason.from !== eolFrom)
      upcoming.push({ ...line, day: reason.from, event: 'will be deprecated' });
    upcoming.push({ ...line, day: eolFrom, event: 'leaves support' });
  }
  releases.forEach((release) => {
    const next = release.upcoming[0];
    if (release.isDeprecated || next?.from === undefined || next.rule === 'support policy') return;
    upcoming.push({
      day: next.from,
      anchor: releaseAnchor(release.version),
      subject: release.version,
      event: 'will be deprecated',
      reason: sentence(next.text),
    });
  });
  return upcoming.sort((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day)));
}
