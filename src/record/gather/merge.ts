import type { Day } from '../../core/model/dates.ts';
import { dropEmpty, sortKeys } from '../../core/model/objects.ts';
import { notice } from '../../core/schemas/finding.ts';
import { listSourcesListing, type RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { formatList } from '../../core/text/wording.ts';
import type { StatedRelease } from '../sources/datasource.ts';
import { noteConflicts } from './conflicts.ts';
import {
  chooseNotListedOn,
  mergeValues,
  reportChange,
  type CheckedAnswer,
  type MergeReport,
  type SourceStatement,
  type ValueContext,
} from './merge-values.ts';
import { arrangeReleases, computeRank, indexByRank } from './recorded-releases.ts';

interface MergeInput {
  component: string;
  recorded: readonly RecordedRelease[];
  /** The first missing days of versions that were missing before this run. */
  missing: Readonly<Record<string, Day>>;
  sources: ValueContext['sources'];
  /** In the order of the sources. */
  answers: readonly CheckedAnswer[];
  /**
   * Whether support of the whole component is over. Its releases are all deprecated, so missing ones are not withdrawn: no reader
   * needs that news. A short list that a person accepts still withdraws what it lacks.
   */
  isRetired?: boolean;
  day: Day;
}

export type Merged = ReturnType<typeof mergeAnswers>;

type Merge = MergeInput & ValueContext;

/**
 * Merges the answers of the sources into the recorded data. Data only grows: no release is removed, a published timestamp stays,
 * and the journal keeps earlier values. Merging the same answers again changes nothing, except that a version still missing on a
 * later day is withdrawn.
 */
export function mergeAnswers(input: MergeInput) {
  const { component, day, answers, isRetired } = input;
  const report: MergeReport = { component, day, changes: [], findings: [], added: new Set() };
  const usable = answers.filter(({ isWaiting }) => !isWaiting);
  const usableAnswers = new Map(usable.map((answer) => [answer.id, answer]));
  const merge = { ...input, report, usableAnswers };
  const matched = matchStatements(merge);
  const missing = new Map<string, Day>();
  const withdrawnByDecision: string[] = [];

  for (const [entry, statements] of matched) {
    const listingAnswer = answers.find((answer) => listsRelease(answer, entry));
    if (listingAnswer) {
      listAgain(entry, listingAnswer.id, report);
    }

    mergeValues({ entry, statements }, merge);
    noteConflicts(entry, statements, merge);
    if (withdrawByDecision(entry, merge)) {
      withdrawnByDecision.push(entry.version);
    }

    const absence = listingAnswer || isRetired ? undefined : findAbsence(entry, merge);
    if (absence) {
      missing.set(entry.version, absence.since);
      withdrawOnSecondDay(entry, absence, report);
    }
  }

  const releases = arrangeReleases([...matched.keys()]);
  reportMissing(releases, missing, report);

  return {
    /** Oldest first. Every recorded release is among them. */
    releases,
    /** The first missing days of versions that no source lists any more. */
    missing: sortKeys(Object.fromEntries(missing)),
    changes: report.changes,
    findings: report.findings,
    /** The versions that accepted short lists withdrew. */
    withdrawnByDecision,
  };
}

/** The recorded releases, then the new ones, each with what sources state of it. */
function matchStatements({
  recorded,
  answers,
  report,
}: Merge): Map<RecordedRelease, SourceStatement[]> {
  const entries = recorded.map((entry) => ({ ...entry }));
  const byRank = indexByRank(entries);
  const matched = new Map<RecordedRelease, SourceStatement[]>(entries.map((entry) => [entry, []]));

  for (const answer of answers) {
    for (const release of answer.releases) {
      const rank = computeRank(release);
      const entry = byRank.get(rank) ?? addRelease(release, answer.id, report);
      byRank.set(rank, entry);

      if (entry.version !== release.version) {
        const spelling = `${answer.id} spells ${entry.version} as "${release.version}".`;
        const finding = notice(report.component, `${spelling} The first recorded spelling stays.`);
        report.findings.push({ ...finding, kind: `${answer.id} spelling` });
      }

      matched.set(entry, [...(matched.get(entry) ?? []), { release, answer }]);
    }
  }

  return matched;
}

function addRelease(
  { version, releaseTimestamp, notListedOn }: StatedRelease,
  source: string,
  { day, added, changes }: MergeReport,
): RecordedRelease {
  const entry: RecordedRelease = {
    version,
    releaseTimestamp: releaseTimestamp ?? day,
    timestampKind: releaseTimestamp === undefined ? 'observed' : 'published',
    source,
    firstSeen: day,
    notListedOn: chooseNotListedOn(notListedOn, releaseTimestamp),
  };
  added.add(entry);
  changes.push({ kind: 'new', version, detail: '' });
  return entry;
}

/** Whether an answer lists a release, even one that the definition does not admit. */
function listsRelease({ ranks }: CheckedAnswer, entry: RecordedRelease): boolean {
  const rank = computeRank(entry);
  return rank !== undefined && ranks.has(rank);
}

function listAgain(entry: RecordedRelease, id: string, report: MergeReport): void {
  if (entry.withdrawnSince !== undefined) {
    reportChange(report, 'returned', entry, `${id} lists it again`);
    entry.withdrawnSince = undefined;
  }
}

/**
 * An accepted short list takes effect at once. A release that it lacks is withdrawn or, if another source may list it, only loses
 * the source of the list. Returns whether the release was withdrawn.
 */
function withdrawByDecision(entry: RecordedRelease, merge: Merge): boolean {
  const listing = listSourcesListing(entry);
  const ending = listing.filter((id) => {
    const answer = merge.usableAnswers.get(id);
    // A partial answer withdraws nothing.
    return answer?.isAccepted && !answer.isPartial && !listsRelease(answer, entry);
  });
  if (ending.length === 0 || entry.withdrawnSince !== undefined) {
    return false;
  }

  // A source that has left the definition lists nothing any more.
  const others = listing.filter((id) => !ending.includes(id));
  const successor = others.find((id) => {
    const answer = merge.usableAnswers.get(id);
    return merge.sources.includes(id) && (!answer || listsRelease(answer, entry));
  });
  if (successor !== undefined) {
    const alsoListedBy = others.filter((id) => id !== successor).sort();
    entry.source = successor;
    entry.alsoListedBy = dropEmpty(alsoListedBy);
    return false;
  }

  withdraw(entry, `${ending.join(', ')} no longer lists it, as accepted`, merge.report);
  return true;
}

function withdraw(entry: RecordedRelease, detail: string, report: MergeReport): void {
  entry.withdrawnSince = report.day;
  reportChange(report, 'withdrawn', entry, detail);
}

/** A version is missing: no answer lists it. */
interface Absence {
  /** The first missing day. */
  since: Day;
  /** Its sources, if all of them have answered without it. */
  lackedBy?: readonly string[];
}

/** Since when a version that no answer lists is missing; undefined if it is not, or has been withdrawn before this day. */
function findAbsence(entry: RecordedRelease, merge: Merge): Absence | undefined {
  const { day, missing, usableAnswers, sources } = merge;
  const since = missing[entry.version];
  const recordedAbsence = since === undefined ? undefined : { since };
  if (entry.withdrawnSince !== undefined) {
    // If the gate holds the withdrawal of today, the next run needs the first missing day.
    return entry.withdrawnSince === day ? recordedAbsence : undefined;
  }

  // A source without an answer, or with a short list that waits, may still list it.
  const listing = listSourcesListing(entry).filter((id) => sources.includes(id));
  if (listing.some((id) => !usableAnswers.has(id))) {
    return recordedAbsence;
  }

  // Partial answers prove no absence. A release without a source was recorded by hand.
  const isProven = listing.some((id) => !usableAnswers.get(id)?.isPartial);
  return isProven ? { since: since ?? day, lackedBy: listing } : undefined;
}

/** Waits for the second missing day: a list may be incomplete for a day, and most versions that vanish come back. */
function withdrawOnSecondDay(
  entry: RecordedRelease,
  { since, lackedBy }: Absence,
  report: MergeReport,
): void {
  if (lackedBy && since !== report.day) {
    withdraw(entry, `${lackedBy.join(', ')} no longer lists it`, report);
  }
}

/** Reports the versions that are missing, but not withdrawn yet. */
function reportMissing(
  releases: readonly RecordedRelease[],
  missing: ReadonlyMap<string, Day>,
  { component, findings }: MergeReport,
): void {
  const versions = releases
    .filter(({ version, withdrawnSince }) => missing.has(version) && withdrawnSince === undefined)
    .map(({ version }) => version);

  if (versions.length > 0) {
    const text = `no source lists ${formatList(versions, 20)} any more.`;
    findings.push(
      notice(component, `${text} A version that is still missing on a later day is withdrawn.`),
    );
  }
}
