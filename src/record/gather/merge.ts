import type { Day } from '../../core/model/dates.ts';
import { notice, type Finding } from '../../core/schemas/finding.ts';
import { listSourcesListing, type RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { formatList } from '../../core/text/wording.ts';
import type { StatedRelease } from '../sources/source-answer.ts';
import { noteConflicts } from './conflicts.ts';
import {
  findUsefulBound,
  mergeValues,
  reportChange,
  type MergeReport,
  type RecordedChange,
  type SourceStatement,
} from './merge-values.ts';
import { arrangeReleases } from './recorded-form.ts';
import { computeRank, indexByRank } from './version-rank.ts';
import type { SoundAnswer } from './sound-answer.ts';

interface MergeInput {
  component: string;
  recorded: readonly RecordedRelease[];
  /** Versions that were missing before, with their first missing day. */
  missing: Readonly<Record<string, Day>>;
  /** Ids of all sources in the order of the definition. If they disagree, the first takes precedence. */
  sources: readonly string[];
  /** In the same order. */
  answers: readonly SoundAnswer[];
  /** Its releases are neither withdrawn nor listed again: all are deprecated, and no reader needs news of them. */
  isRetired?: boolean;
  day: Day;
}

export interface Merged {
  /** Oldest first. Every recorded release is among them. */
  releases: RecordedRelease[];
  /** Missing versions, with their first missing day. */
  missing: Record<string, Day>;
  changes: RecordedChange[];
  findings: Finding[];
  /** The versions that an accepted short list withdrew, by source. */
  dropped: ReadonlyMap<string, readonly string[]>;
}

/** A release that no source lists any more, and the first day without it. */
interface Missing {
  entry: RecordedRelease;
  since: Day;
}

/** The input of a merge, with its report. */
interface Merge extends MergeInput {
  report: MergeReport;
  /** The answers in which a missing version is a fact, by source. */
  sound: ReadonlyMap<string, SoundAnswer>;
}

/**
 * Merges the answers of the sources into the recorded data. Data only grows: no release is removed, a published timestamp stays,
 * and the journal keeps earlier values. Merging the same answers again changes nothing, except that a version still missing on a
 * later day is withdrawn.
 */
export function mergeAnswers(input: MergeInput): Merged {
  const { component, day, answers, isRetired = false } = input;
  const report: MergeReport = { component, day, changes: [], findings: [], added: new Set() };
  const sound = answers.filter(({ absence }) => absence !== 'ignored');
  const merge = { ...input, report, sound: new Map(sound.map((answer) => [answer.id, answer])) };
  const missing: Missing[] = [];
  const dropped = new Map<string, string[]>();
  const matched = matchStatements(merge);

  for (const [entry, statements] of matched) {
    const listingAnswer = answers.find((answer) => listsRelease(answer, entry));
    if (listingAnswer && !isRetired) {
      listAgain(entry, listingAnswer.id, report);
    }

    mergeValues({ entry, statements }, merge);
    noteConflicts(entry, statements, merge);

    for (const id of dropSources(entry, merge)) {
      dropped.set(id, [...(dropped.get(id) ?? []), entry.version]);
    }

    const since = listingAnswer || isRetired ? undefined : withdrawMissing(entry, merge);
    if (since !== undefined) {
      missing.push({ entry, since });
    }
  }

  missing.sort((a, b) => (a.entry.version < b.entry.version ? -1 : 1));
  reportMissing(missing, report);

  return {
    releases: arrangeReleases([...matched.keys()]),
    missing: Object.fromEntries(missing.map(({ entry, since }) => [entry.version, since])),
    changes: report.changes,
    findings: report.findings,
    dropped,
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
    notListedOn: findUsefulBound(notListedOn, releaseTimestamp),
  };
  added.add(entry);
  changes.push({ kind: 'new', version, detail: '' });
  return entry;
}

/** Whether an answer lists a release, even one that the definition does not admit. */
function listsRelease({ ranks }: SoundAnswer, entry: RecordedRelease): boolean {
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
 * Withdraws at once a release that an accepted short list lacks, and returns the sources of such lists. If another source still
 * lists it, only these sources are removed from the release.
 */
function dropSources(entry: RecordedRelease, { sources, sound, day, report }: Merge): string[] {
  const listing = listSourcesListing(entry);
  const isListed = (id: string) => {
    const answer = sound.get(id);
    return !answer || listsRelease(answer, entry);
  };
  const dropping = listing.filter((id) => sound.get(id)?.absence === 'accepted' && !isListed(id));
  if (dropping.length === 0 || entry.withdrawnSince !== undefined) {
    return [];
  }

  const keeping = listing.filter((id) => !dropping.includes(id));
  if (keeping.some((id) => sources.includes(id) && isListed(id))) {
    const [source, ...alsoListedBy] = keeping;
    entry.source = source;
    entry.alsoListedBy = alsoListedBy.length > 0 ? alsoListedBy : undefined;
    return [];
  }

  entry.withdrawnSince = day;
  reportChange(
    report,
    'withdrawn',
    entry,
    `${dropping.join(', ')} no longer lists it, as accepted`,
  );
  return dropping;
}

/**
 * Withdraws a version on the second day without it in any of its sources: a list may be incomplete for a day, and most versions
 * that vanish come back. Returns the first missing day, even of a version that is withdrawn now: if the gate holds the withdrawal,
 * the next run needs the day.
 */
function withdrawMissing(
  entry: RecordedRelease,
  { day, missing, sound, report }: Merge,
): Day | undefined {
  const sources = listSourcesListing(entry);
  const since = missing[entry.version];
  if (entry.withdrawnSince !== undefined) {
    // A second run on the same day has the same result.
    return entry.withdrawnSince === day ? since : undefined;
  }
  if (sources.length === 0) {
    return undefined;
  }

  // A source that did not answer may still list it.
  if (sources.some((id) => !sound.has(id))) {
    return since;
  }
  if (sources.every((id) => sound.get(id)?.onlyAdds)) {
    return undefined;
  }

  const firstDay = since ?? day;
  if (firstDay !== day) {
    entry.withdrawnSince = day;
    reportChange(report, 'withdrawn', entry, `${sources.join(', ')} no longer lists it`);
  }

  return firstDay;
}

/** Reports the versions that are missing, but not withdrawn yet. */
function reportMissing(missing: readonly Missing[], { component, findings }: MergeReport): void {
  const waiting = missing.filter(({ entry }) => entry.withdrawnSince === undefined);
  const versions = waiting.map(({ entry }) => entry.version);
  if (versions.length > 0) {
    const text = `no source lists ${formatList(versions, 20)} any more.`;
    findings.push(
      notice(component, `${text} A version that is still missing on a later day is withdrawn.`),
    );
  }
}
