import type { Day } from '../../dates.ts';
import type { Judgement } from '../../policy/judge.ts';
import { releaseAnchor } from '../anchors.ts';
import { isLineSupported } from './release-tables.ts';
import { endSentence } from './words.ts';

/** Something that will happen on a known day although nothing is done. */
export interface Upcoming {
  day: Day;
  /** Anchor on the page of what it happens to. */
  anchor: string;
  subject: string;
  event: string;
  /** A sentence; empty where the event speaks for itself. */
  reason: string;
}

/** What happens next, soonest first. */
export function upcomingOf({ lines, releases }: Judgement): Upcoming[] {
  const ends = lines.flatMap((line) => {
    if (!isLineSupported(line) || line.eolFrom === undefined) return [];
    return [
      {
        day: line.eolFrom,
        anchor: `line-${line.name}`,
        subject: line.name,
        event: 'leaves support',
        reason: '',
      },
    ];
  });
  const deprecations = releases.flatMap(({ version, isDeprecated, upcoming }) => {
    const [next] = upcoming;
    if (isDeprecated || next?.from === undefined || next.rule === 'support policy') return [];
    return [
      {
        day: next.from,
        anchor: releaseAnchor(version),
        subject: version,
        event: 'will be deprecated',
        reason: endSentence(next.text),
      },
    ];
  });
  return [...ends, ...deprecations].sort((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day)));
}
