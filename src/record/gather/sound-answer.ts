import { cutDay, findEarliestDay, type Day } from '../../core/model/dates.ts';
import { dropUndefined, pick } from '../../core/model/objects.ts';
import { notice, warning, type Finding } from '../../core/schemas/finding.ts';
import type { SourceFreshness } from '../../core/schemas/recorded/freshness.ts';
import { listSourcesListing, type RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { isBackdated } from '../gate/rules/backdated.ts';
import type { StatedRelease } from '../sources/source-answer.ts';
import type { Answered } from './ask-source.ts';
import { digestListed } from './listed-versions.ts';
import { computeRank, indexByRank } from './version-rank.ts';

/** The accepted answer of one source. */
export interface SoundAnswer extends Pick<
  Answered,
  'id' | 'ranks' | 'onlyAdds' | 'statesDeprecation'
> {
  releases: readonly StatedRelease[];
  /** The meaning of a version's absence from a short list: none, or its end by a person's decision. */
  absence?: 'ignored' | 'accepted' | undefined;
}

/** The recorded facts to read a source's answer with. */
export interface History {
  component: string;
  recorded: readonly RecordedRelease[];
  /** The source's last answers. */
  freshness: SourceFreshness | undefined;
  /** The versions that wait, with the day since which each waits. */
  waiting: ReadonlyMap<string, Day>;
}

/** Checks the days of an answer against recorded data. The gate decides later whether to accept it. */
export function readAnswer(
  outcome: Answered,
  history: History,
): { answer: SoundAnswer; findings: Finding[]; rejectedDays: ReadonlyMap<string, Day> } {
  const { id } = outcome;
  const { component, recorded } = history;
  const byRank = indexByRank(recorded);
  const lackedOn = findLastDayWithout(outcome, history);

  const releases: StatedRelease[] = [];
  const rejectedDays = new Map<string, Day>();
  const findings: Finding[] = [];

  for (const release of outcome.releases) {
    const { version, releaseTimestamp } = release;
    const entry = byRank.get(computeRank(release));
    const recordedDay = entry?.source === id ? entry.notListedOn : undefined;
    const notListedOn = entry ? recordedDay : computeBound(version, lackedOn, history);

    if (notListedOn === undefined) {
      releases.push(release);
    } else if (releaseTimestamp === undefined || !isBackdated(release, notListedOn)) {
      releases.push({ ...release, notListedOn });
    } else {
      // A backdated release would pass rules on a minimum age, and end the support of older lines.
      releases.push(dropUndefined({ ...release, releaseTimestamp: undefined, notListedOn }));
      const conflict = `${id} dates ${version} ${releaseTimestamp}, but did not list it on ${notListedOn}.`;
      findings.push({ ...reportConflict(component, conflict, entry), kind: `${id} day` });
      if (!entry) {
        rejectedDays.set(version, cutDay(releaseTimestamp));
      }
    }
  }

  const answer = {
    ...pick(outcome, ['id', 'ranks', 'onlyAdds', 'statesDeprecation']),
    releases,
  };
  return { answer, findings, rejectedDays };
}

function reportConflict(
  component: string,
  conflict: string,
  entry: RecordedRelease | undefined,
): Finding {
  return entry
    ? notice(component, `${conflict} The recorded day stays.`)
    : warning(
        component,
        `${conflict} Rejected that day; the day of this run is recorded, as observed.`,
      );
}

/** A version that waits has been listed for longer than it is recorded. */
function computeBound(
  version: string,
  lackedOn: Day | undefined,
  { waiting }: History,
): Day | undefined {
  return lackedOn && findEarliestDay(lackedOn, waiting.get(version));
}

/**
 * The day of the last sound answer without the new versions. Undefined if that answer had them: data that was restored to an
 * earlier state lacks versions that may have been listed for long.
 */
function findLastDayWithout(
  { id, definition, releases }: Answered,
  { recorded, freshness, waiting }: History,
): Day | undefined {
  const { answeredOn, listed: digest, definition: lastDefinition = definition } = freshness ?? {};
  if (answeredOn === undefined || lastDefinition !== definition) {
    return undefined;
  }

  const hasRecorded = recorded.some((entry) => listSourcesListing(entry).includes(id));
  if (digest === undefined) {
    return hasRecorded ? answeredOn : undefined;
  }

  const isLastList = (moreVersions: readonly string[]) =>
    digestListed(recorded, id, answeredOn, moreVersions) === digest;
  if (isLastList([...waiting.keys()])) {
    return answeredOn;
  }

  const versions = releases.map(({ version }) => version);
  const earlier = releases.filter(
    ({ releaseTimestamp = '' }) => cutDay(releaseTimestamp) <= answeredOn,
  );
  const isRestored = isLastList(versions) || isLastList(earlier.map(({ version }) => version));
  return !hasRecorded || isRestored ? undefined : answeredOn;
}
