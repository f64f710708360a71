import { cutDay, countDaysBetween, type Day } from '../../core/model/dates.ts';
import { findContradiction, rankStrength } from '../../core/model/digest.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { isPrereleaseForm } from '../../core/model/version.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import {
  listSourcesListing,
  maxArtifacts,
  type Dissent,
  type RecordedRelease,
} from '../../core/schemas/recorded/recorded.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import { formatList } from '../../core/text/wording.ts';
import { listRecordedDigests } from '../gate/rules/other-bytes.ts';
import type { StatedRelease } from '../sources/datasource.ts';
import type { SoundAnswer } from './sound-answer.ts';

/** A recorded published day stays. An observed day gives way to a published one: the version existed by then, perhaps earlier. */
export function mergeTimestamp(
  entry: RecordedRelease,
  statement: SourceStatement,
  report: MergeReport,
): void {
  const { id } = statement.answer;
  const { releaseTimestamp: publishedAt } = statement.release;
  const { releaseTimestamp: recorded } = entry;

  if (publishedAt === undefined) {
    if (recorded === undefined) {
      changeDay(
        entry,
        entry.firstSeen ?? report.day,
        'observed',
        `${id} lists it, without a day`,
        report,
      );
    }
  } else if (
    recorded === undefined ||
    (entry.timestampKind === 'observed' && cutDay(publishedAt) <= cutDay(recorded))
  ) {
    changeDay(entry, publishedAt, 'published', `${id} states the day`, report);
  } else if (entry.timestampKind === 'observed') {
    const conflict = `${id} dates ${entry.version} ${publishedAt}, but it was seen on ${cutDay(recorded)}.`;
    report.reportFinding('notice', `${conflict} The recorded day stays.`, `${id} day`);
  }
}

function changeDay(
  entry: RecordedRelease,
  to: string,
  kind: 'published' | 'observed',
  reason: string,
  report: MergeReport,
): void {
  report.change(
    'corrected',
    entry,
    `${entry.releaseTimestamp ?? 'no day'} → ${to} (${kind}): ${reason}`,
  );

  entry.releaseTimestamp = to;
  entry.timestampKind = kind;

  if (kind === 'published' && !isLater(entry.notListedOn, to)) {
    delete entry.notListedOn;
  }
}

/** Whether a source did not list a release on a day after its stated day, or the release has no stated day. */
export function isLater(notListedOn: Day | undefined, publishedAt: string | undefined): boolean {
  if (notListedOn === undefined) {
    return false;
  }

  return publishedAt === undefined || notListedOn > cutDay(publishedAt);
}

/** Keeps the text within a line. */
const maxReplacedNamed = 3;

/**
 * Adds new artifacts, and stronger digests of the same bytes, without a report. Other bytes under a recorded name are recorded
 * as republished, and the gate holds them until a person accepts them. Bytes that the release has under another name are not new.
 */
export function mergeDigests(
  entry: RecordedRelease,
  { release: { digests }, answer: { id } }: SourceStatement,
  report: MergeReport,
): void {
  if (digests === undefined) {
    return;
  }

  const artifacts = new Map(Object.entries(entry.digests?.[id] ?? {}));
  const recordedDigests = listRecordedDigests(entry);
  const replaced: { from: string; to: string }[] = [];

  for (const [artifact, text] of Object.entries(digests)) {
    const before = artifacts.get(artifact);
    if (before === undefined) {
      if (artifacts.size < maxArtifacts) {
        artifacts.set(artifact, findStrongest(text));
      }
    } else if (!findContradiction(before, text)) {
      artifacts.set(artifact, uniteDigests(before, text));
    } else if (!recordedDigests.has(findStrongest(text))) {
      const to = findStrongest(text);
      artifacts.set(artifact, to);
      report.change('republished', entry, artifact);
      replaced.push({ from: `${artifact} ${before}`, to: `${artifact} ${to}` });
    }
  }

  if (replaced.length > 0) {
    const listSide = (side: 'from' | 'to') => {
      const texts = replaced.map((replacement) => replacement[side]);
      return toLine(formatList(texts, maxReplacedNamed));
    };

    entry.republished = { on: report.day, from: listSide('from'), to: listSide('to') };
  }

  entry.digests = sortKeys({ ...entry.digests, [id]: sortKeys(Object.fromEntries(artifacts)) });
}

/** The input is sorted, weakest first. */
function findStrongest(text: string): string {
  return text.slice(text.lastIndexOf(' ') + 1);
}

function uniteDigests(before: string, text: string): string {
  const digests = new Set([...before.split(' '), findStrongest(text)]);
  return [...digests].sort((a, b) => rankStrength(a) - rankStrength(b)).join(' ');
}

function sortKeys<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A change of a component's recorded data by a run. */
export interface RecordedChange {
  kind: 'new' | 'deprecated' | 'withdrawn' | 'returned' | 'corrected' | 'republished';
  version: string;
  /** The change in words; empty if the kind suffices. */
  detail: string;
}

/** The report of a merge, with an entry for every changed value. */
export class MergeReport {
  readonly changes: RecordedChange[] = [];
  readonly findings: Finding[] = [];
  readonly day: Day;
  readonly #component: string;
  readonly #fresh = new Set<RecordedRelease>();

  constructor(component: string, day: Day) {
    this.#component = component;
    this.day = day;
  }

  add(entry: RecordedRelease): void {
    this.#fresh.add(entry);
    this.changes.push({ kind: 'new', version: entry.version, detail: '' });
  }

  /** Whether it is new in this run. No other change of it is reported then. */
  isFresh(entry: RecordedRelease): boolean {
    return this.#fresh.has(entry);
  }

  change(
    kind: Exclude<RecordedChange['kind'], 'new'>,
    entry: RecordedRelease,
    detail: string,
  ): void {
    if (!this.isFresh(entry)) {
      this.changes.push({ kind, version: entry.version, detail });
    }
  }

  reportFinding(level: 'warning' | 'notice', message: string, kind = message): void {
    this.findings.push({ level, subject: this.#component, message, kind });
  }
}

/** A source's statement on a recorded release. */
export interface SourceStatement {
  release: StatedRelease;
  answer: SoundAnswer;
}

type Field = Dissent['field'];

/** Null: stated to be absent. Undefined: not stated. */
type StatedValue = string | null | undefined;

/** Days may differ by one, for time zones. */
const toleratedDays = 1;

function listValues({ release, answer }: SourceStatement): Record<Field, StatedValue> {
  return {
    releaseTimestamp: release.releaseTimestamp,
    changelogUrl: release.changelogUrl,
    deprecated: release.deprecated ?? (answer.statesDeprecation ? null : undefined),
    isPrerelease: release.isPrerelease?.toString(),
  };
}

/** Whether a stated value contradicts the recorded one. */
function differs(field: Field, value: string | null, entry: RecordedRelease): boolean {
  const { version, releaseTimestamp, timestampKind, deprecated, isPrerelease } = entry;

  if (field === 'changelogUrl') {
    return value !== entry.changelogUrl;
  }

  // Different wordings of a reason are not a conflict.
  if (field === 'deprecated') {
    return (value === null) !== (deprecated === undefined);
  }
  if (field === 'isPrerelease') {
    return value !== String(isPrerelease ?? isPrereleaseForm(version));
  }
  if (value === null || releaseTimestamp === undefined || timestampKind === 'observed') {
    return false;
  }

  return Math.abs(countDaysBetween(cutDay(releaseTimestamp), cutDay(value))) > toleratedDays;
}

const fields: readonly Field[] = ['releaseTimestamp', 'changelogUrl', 'deprecated', 'isPrerelease'];

/**
 * Records conflicts after all statements were merged: a source states another value than the source that takes precedence. A
 * conflict ends when the sources agree, or when one of them no longer lists the release or leaves the definition. `sources`: ids
 * in the order of the definition; `sound`: the sources that answered.
 */
export function noteConflicts(
  entry: RecordedRelease,
  statements: readonly SourceStatement[],
  { sources, sound }: { sources: readonly string[]; sound: ReadonlyMap<string, unknown> },
): void {
  const bySource = new Map(statements.map((statement) => [statement.answer.id, statement]));
  const listing = sources.filter(
    (id) => listSourcesListing(entry).includes(id) && (bySource.has(id) || !sound.has(id)),
  );
  const witnesses = { entry, bySource, listing };

  const conflicts: Dissent[] = [];
  for (const source of listing) {
    for (const field of fields) {
      const conflict = findConflict(witnesses, source, field);
      if (conflict) {
        conflicts.push(conflict);
      }
    }
  }

  if (conflicts.length > 0) {
    entry.dissent = conflicts;
  } else {
    delete entry.dissent;
  }
}

/** The statements about a recorded release. */
interface Witnesses {
  readonly entry: RecordedRelease;
  /** The statements of this run. */
  readonly bySource: ReadonlyMap<string, SourceStatement>;
  /** The sources that list the release, and have not answered without it. */
  readonly listing: readonly string[];
}

function findConflict(witnesses: Witnesses, source: string, field: Field): Dissent | undefined {
  const { entry, bySource } = witnesses;
  const former = entry.dissent?.find((note) => note.source === source && note.field === field);

  // A source that did not answer keeps its statement. Days are stated only once.
  const isRemembered = former && (!bySource.has(source) || field === 'releaseTimestamp');
  const statedValue = readValue(witnesses, source, field);
  const value = statedValue === undefined && isRemembered ? (former.value ?? null) : statedValue;
  if (value === undefined || !differs(field, value, entry)) {
    return undefined;
  }

  const over = findPrecedence(witnesses, source, field, former?.over);
  return over === undefined
    ? undefined
    : dropUndefined({ source, field, value: value === null ? undefined : toLine(value), over });
}

function readValue({ bySource }: Witnesses, source: string, field: Field): StatedValue {
  const statement = bySource.get(source);
  return statement && listValues(statement)[field];
}

/** The source of the recorded value. A source that changed its own statement has no conflict. */
function findPrecedence(
  witnesses: Witnesses,
  source: string,
  field: Field,
  formerSource: string | undefined,
): string | undefined {
  const { entry, bySource, listing } = witnesses;
  const others = listing.filter((id) => id !== source);
  const agreeing = others.find((id) => {
    const value = readValue(witnesses, id, field);
    return value !== undefined && !differs(field, value, entry);
  });
  if (agreeing !== undefined) {
    return agreeing;
  }

  // A source that answered without a value has withdrawn it, except for days, which are stated once.
  const silent = others.filter(
    (id) =>
      readValue(witnesses, id, field) === undefined &&
      (field === 'releaseTimestamp' || !bySource.has(id)),
  );
  return [formerSource, entry.source].find((id) => id !== undefined && silent.includes(id));
}
