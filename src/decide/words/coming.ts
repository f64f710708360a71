import type { Day } from '../../core/dates.ts';
import type { PublishedComing } from '../../core/schemas/published/search-file.ts';
import { isLineOpen, type Judgement } from '../judge.ts';
import { sentence } from '../../core/text.ts';

/** A change that will come on a known day by itself. */
export interface Coming {
  day: Day;
  /** What it is about: the name of a release line, or a version. */
  of: 'line' | 'release';
  subject: string;
  event: 'leaves support' | 'will be deprecated';
  /** A sentence; empty where the event speaks for itself. */
  reason: string;
}

/** The same as it is published in `search.json`. */
export function publishedComing(judgement: Judgement): PublishedComing[] {
  return comingChanges(judgement).map(({ day, of, subject, event, reason }) => ({
    on: day,
    ...(of === 'line' ? { line: subject } : { version: subject }),
    event,
    ...(reason !== '' && { reason }),
  }));
}

/** What will come of a component, soonest first. */
export function comingChanges({ day, lines, releases }: Judgement): Coming[] {
  const coming: Coming[] = [];
  for (const line of lines) {
    const { name, isSupported, eolFrom, reason } = line;
    if (!isSupported) continue;
    const about = { of: 'line', subject: name, reason: '' } as const;
    if (reason?.from !== undefined && reason.from > day && reason.from !== eolFrom && isLineOpen(line))
      coming.push({ ...about, day: reason.from, event: 'will be deprecated' });
    if (eolFrom !== undefined) coming.push({ ...about, day: eolFrom, event: 'leaves support' });
  }
  releases.forEach(({ version, isDeprecated, upcoming: [next] }) => {
    if (isDeprecated || next?.from === undefined || next.rule === 'support policy') return;
    coming.push({
      day: next.from,
      of: 'release',
      subject: version,
      event: 'will be deprecated',
      reason: sentence(next.text),
    });
  });
  return coming.sort((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day)));
}
