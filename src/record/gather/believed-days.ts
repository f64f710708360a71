import { addDays, dayOf, type Day } from '../../core/dates.ts';
import type { RecordedRelease } from '../../core/schemas/recorded.ts';
import { defined } from '../../core/text.ts';
import { rankKey } from '../../core/version.ts';
import type { StatedRelease } from './stated-release.ts';

/** A release of an answer, without a day that our own observation contradicts. */
export interface BelievedRelease extends StatedRelease {
  /** The last day on which the source answered soundly and did not list it. */
  notListedOn?: Day;
}

/** A registry may list a release some days after it was published. */
const tolerated = 7;

export interface DayContext {
  id: string;
  byRank: ReadonlyMap<string, RecordedRelease>;
  /** The last day on which the source answered soundly without this new version; undefined where it is not known. */
  lackedOn(rank: string): Day | undefined;
  tell(level: 'warning' | 'notice', message: string): void;
}

/** Who dates a release back passes every rule that asks for a minimum age, and ends the support of older lines. */
export function believeDays(
  releases: readonly StatedRelease[],
  { id, byRank, lackedOn, tell }: DayContext,
): BelievedRelease[] {
  return releases.map((release): BelievedRelease => {
    const rank = rankKey(release.version);
    const known = byRank.get(rank);
    const notListedOn = known ? noticedAfter(known, id) : lackedOn(rank);
    if (notListedOn === undefined) return release;
    const { publishedAt } = release;
    if (publishedAt === undefined || dayOf(publishedAt) >= addDays(notListedOn, -tolerated)) {
      return { ...release, notListedOn };
    }
    const what = `${id} dates ${release.version.text} ${publishedAt}, but did not list it on ${notListedOn}.`;
    if (known) tell('notice', `${what} The recorded day stays.`);
    else tell('warning', `${what} That day is not believed; the day of this run is recorded, as observed.`);
    return defined({ ...release, publishedAt: undefined, notListedOn });
  });
}

function noticedAfter({ source, notListedOn }: RecordedRelease, id: string): Day | undefined {
  return source === id ? notListedOn : undefined;
}
