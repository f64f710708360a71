import type { Day } from '../../dates.ts';
import { isLineSupported, type Judgement } from '../../policy/judge.ts';
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
export function upcomingOf({ lines, releases }: Judgement): Upcoming[] {
  const upcoming: Upcoming[] = [];
  for (const line of lines) {
    if (line.eolFrom === undefined || !isLineSupported(line)) continue;
    upcoming.push({
      day: line.eolFrom,
      anchor: `line-${line.name}`,
      subject: line.name,
      event: 'leaves support',
      reason: '',
    });
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
