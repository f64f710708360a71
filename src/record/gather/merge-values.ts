import { cutDay, type Day } from '../../core/model/dates.ts';
import { findContradiction, joinDigests } from '../../core/model/digest.ts';
import { sortKeys } from '../../core/model/objects.ts';
import { isPrereleaseForm } from '../../core/model/prerelease.ts';
import { notice, type Finding } from '../../core/schemas/finding.ts';
import {
  listRecordedDigests,
  listSourcesListing,
  maxArtifacts,
  type RecordedRelease,
} from '../../core/schemas/recorded/recorded.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import { formatList } from '../../core/text/wording.ts';
import type { StatedRelease } from '../sources/datasource.ts';
import type { Answered } from './ask-source.ts';

/** A change of a component's recorded data by a run. */
export interface RecordedChange {
  kind: 'new' | 'deprecated' | 'withdrawn' | 'returned' | 'corrected' | 'republished';
  version: string;
  /** The change in words; empty if the kind suffices. */
  detail: string;
}

/** What a merge tells a person. Additions such as notes, artifacts and other sources of a release are not in it. */
export interface MergeReport {
  component: string;
  day: Day;
  changes: RecordedChange[];
  findings: Finding[];
  /** The releases that are new in this run. */
  added: Set<RecordedRelease>;
}

/** A new release has no other change than that it is new. */
export function reportChange(
  { changes, added }: MergeReport,
  kind: Exclude<RecordedChange['kind'], 'new'>,
  entry: RecordedRelease,
  detail: string,
): void {
  if (!added.has(entry)) {
    changes.push({ kind, version: entry.version, detail });
  }
}

/** An answer whose days were checked. Its list may be short. */
export interface CheckedAnswer extends Pick<
  Answered,
  'id' | 'ranks' | 'isPartial' | 'statesDeprecation'
> {
  releases: readonly StatedRelease[];
  /** Its list is short, and waits for a person. */
  isWaiting?: boolean;
  /** A person has accepted its short list. */
  isAccepted?: boolean;
}

/** A source's statement on a recorded release. */
export interface SourceStatement {
  release: StatedRelease;
  answer: CheckedAnswer;
}

/** A release to record, with what sources state of it, in the order of the definition. */
interface Subject {
  entry: RecordedRelease;
  statements: readonly SourceStatement[];
}

export interface ValueContext {
  /** Ids of all sources in the order of the definition. If they disagree, the first takes precedence. */
  sources: readonly string[];
  /** The answers without a short list that waits, by source. */
  usableAnswers: ReadonlyMap<string, CheckedAnswer>;
  report: MergeReport;
}

/** Merges what sources state of a release into its recorded values. */
export function mergeValues(subject: Subject, context: ValueContext): void {
  const { entry, statements } = subject;
  for (const statement of statements) {
    addListingSource(entry, statement.answer.id);
    mergeTimestamp(entry, statement, context.report);
  }
  mergeDigests(subject, context.report);

  // As first stated: notes change after the day.
  entry.notes ??= statements.find(({ release }) => release.notes)?.release.notes;
  mergeChangelogUrl(subject, context);
  mergePrerelease(subject, context);
  mergeDeprecation(subject, context);
}

function addListingSource(entry: RecordedRelease, id: string): void {
  if (entry.source === undefined) {
    entry.source = id;
  } else if (entry.source !== id && !entry.alsoListedBy?.includes(id)) {
    entry.alsoListedBy = [...(entry.alsoListedBy ?? []), id].sort();
  }
}

/** A recorded published day stays. An observed day gives way to a published one that is not later. */
function mergeTimestamp(
  entry: RecordedRelease,
  statement: SourceStatement,
  report: MergeReport,
): void {
  const { id } = statement.answer;
  const { releaseTimestamp: publishedAt } = statement.release;
  const { releaseTimestamp: recorded } = entry;

  if (publishedAt === undefined) {
    if (recorded === undefined) {
      entry.releaseTimestamp = entry.firstSeen ?? report.day;
      entry.timestampKind = 'observed';
      const day = `${entry.releaseTimestamp} (observed)`;
      reportChange(report, 'corrected', entry, `no day → ${day}: ${id} lists it, without a day`);
    }
    return;
  }

  if (recorded !== undefined && entry.timestampKind !== 'observed') {
    return;
  }
  if (recorded !== undefined && cutDay(publishedAt) > cutDay(recorded)) {
    const conflict = `${id} dates ${entry.version} ${publishedAt}, but it was seen on ${cutDay(recorded)}.`;
    const finding = notice(report.component, `${conflict} The recorded day stays.`);
    report.findings.push({ ...finding, kind: `${id} day` });
    return;
  }

  const days = `${recorded ?? 'no day'} → ${publishedAt} (published)`;
  reportChange(report, 'corrected', entry, `${days}: ${id} states the day`);
  entry.releaseTimestamp = publishedAt;
  entry.timestampKind = 'published';
  entry.notListedOn = chooseNotListedOn(entry.notListedOn, publishedAt);
}

/** The day on which a source did not list a release; undefined if its stated day is that day or later, and says more. */
export function chooseNotListedOn(
  notListedOn: Day | undefined,
  publishedAt: string | undefined,
): Day | undefined {
  const isUseless =
    notListedOn !== undefined && publishedAt !== undefined && notListedOn <= cutDay(publishedAt);
  return isUseless ? undefined : notListedOn;
}

/**
 * Adds new artifacts, and stronger digests of the same bytes, without a report. Other bytes under a recorded name are recorded
 * as republished, and the gate holds them until a person accepts them, unless the source rebuilds tags. Bytes that the release has under another name are not new.
 */
function mergeDigests({ entry, statements }: Subject, report: MergeReport): void {
  const recordedDigests = listRecordedDigests(entry);
  const replaced = new Set<string>();
  const replacing = new Set<string>();

  for (const { release, answer } of statements) {
    const artifacts = new Map(Object.entries(entry.digests?.[answer.id] ?? {}));
    for (const [artifact, text] of Object.entries(release.digests ?? {})) {
      // Digests are sorted, the weakest first.
      const strongest = text.slice(text.lastIndexOf(' ') + 1);
      const before = artifacts.get(artifact);
      if (before === undefined) {
        if (artifacts.size < maxArtifacts) {
          artifacts.set(artifact, strongest);
        }
      } else if (!findContradiction(before.split(' '), text.split(' '))) {
        artifacts.set(artifact, joinDigests([...before.split(' '), strongest]));
      } else if (!recordedDigests.has(strongest)) {
        artifacts.set(artifact, strongest);
        replaced.add(`${artifact} ${before}`);
        replacing.add(`${artifact} ${strongest}`);
        reportChange(report, 'republished', entry, artifact);
      }
    }

    if (release.digests) {
      const digests = sortKeys(Object.fromEntries(artifacts));
      entry.digests = sortKeys({ ...entry.digests, [answer.id]: digests });
    }
  }

  if (replaced.size > 0) {
    entry.republished = { on: report.day, from: nameFew(replaced), to: nameFew(replacing) };
  }
}

/** Three names and the number of further ones: a line of the journal has room for few. */
function nameFew(names: ReadonlySet<string>): string {
  return toLine(formatList([...names], 3));
}

/**
 * The statement of the first source that states a value. For `deprecated`, a source that can state deprecations decides even by
 * stating none. Undefined if the recorded value stays: no source states one, or an earlier source of the release has not answered.
 */
function findDecidingStatement(
  { entry, statements }: Subject,
  field: 'changelogUrl' | 'isPrerelease' | 'deprecated',
  { sources, usableAnswers }: ValueContext,
): SourceStatement | undefined {
  const statement = statements.find(
    ({ release, answer }) =>
      release[field] !== undefined || (field === 'deprecated' && answer.statesDeprecation),
  );
  if (!statement) {
    return undefined;
  }

  const { id: source } = statement.answer;
  // An absent value is a statement, too, where it overrules that of another source.
  const isOverruled = entry.dissent?.some((note) => note.source === source && note.field === field);
  if (entry[field] === undefined && !isOverruled) {
    return statement;
  }

  const answered = new Set([...usableAnswers.keys(), ...statements.map(({ answer }) => answer.id)]);
  const earlierSources = sources.slice(0, sources.indexOf(source));
  const listing = listSourcesListing(entry);
  const isFirst = earlierSources.every((id) => answered.has(id) || !listing.includes(id));
  return isFirst ? statement : undefined;
}

function mergeChangelogUrl(subject: Subject, context: ValueContext): void {
  const { entry } = subject;
  const link = findDecidingStatement(subject, 'changelogUrl', context)?.release.changelogUrl;
  if (link !== undefined && link !== entry.changelogUrl) {
    const detail = `changelog ${entry.changelogUrl ?? 'none'} → ${link}`;
    reportChange(context.report, 'corrected', entry, detail);
    entry.changelogUrl = link;
  }
}

/** Only a flag that the form of the version does not show is recorded. */
function mergePrerelease(subject: Subject, context: ValueContext): void {
  const { entry } = subject;
  const statement = findDecidingStatement(subject, 'isPrerelease', context);
  const value = statement?.release.isPrerelease;
  const flag = value === isPrereleaseForm(entry.version) ? undefined : value;
  if (statement && flag !== entry.isPrerelease) {
    const detail = value ? 'a prerelease' : 'not a prerelease';
    reportChange(context.report, 'corrected', entry, detail);
    entry.isPrerelease = flag;
  }
}

function mergeDeprecation(subject: Subject, context: ValueContext): void {
  const { entry } = subject;
  const { report } = context;
  const statement = findDecidingStatement(subject, 'deprecated', context);
  const reason = statement?.release.deprecated;
  if (!statement || reason === entry.deprecated) {
    return;
  }

  if (reason === undefined) {
    reportChange(report, 'corrected', entry, 'no longer deprecated upstream');
    entry.deprecatedSince = undefined;
  } else if (entry.deprecated !== undefined) {
    reportChange(report, 'corrected', entry, reason);
  } else if (!report.added.has(entry)) {
    // A new release has been deprecated since it was first seen.
    reportChange(report, 'deprecated', entry, reason);
    entry.deprecatedSince = report.day;
  }

  entry.deprecated = reason;
}
