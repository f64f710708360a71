import { countDaysBetween, cutDay, findStatedDay } from '../../core/model/dates.ts';
import { dropEmpty, dropUndefined } from '../../core/model/objects.ts';
import { isPrereleaseForm } from '../../core/model/prerelease.ts';
import { Dissent, isListedBy, type RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import type { SourceStatement, ValueContext } from './merge-values.ts';

type Field = Dissent['field'];

/** Null: stated to be absent. Undefined: not stated. */
type StatedValue = string | null | undefined;

/** Days may differ by one, for time zones. */
const toleratedDays = 1;

/** The statements about a recorded release. */
interface Witnesses {
  entry: RecordedRelease;
  /** The statements of this run. */
  bySource: ReadonlyMap<string, SourceStatement>;
  /** The sources that list the release, without those that answered and no longer list it. */
  listing: readonly string[];
}

/**
 * Records conflicts after all statements were merged: a source states another value than the source that takes precedence. A
 * conflict ends when the sources agree, or when one of them no longer lists the release or leaves the definition.
 */
export function noteConflicts(
  entry: RecordedRelease,
  statements: readonly SourceStatement[],
  { sources, usableAnswers }: ValueContext,
): void {
  const bySource = new Map(statements.map((statement) => [statement.answer.id, statement]));
  const listing = sources.filter(
    (id) => isListedBy(entry, id) && (bySource.has(id) || !usableAnswers.has(id)),
  );

  const conflicts: Dissent[] = [];
  for (const source of listing) {
    for (const field of Dissent.shape.field.options) {
      const conflict = findConflict({ entry, bySource, listing }, source, field);
      if (conflict) {
        conflicts.push(conflict);
      }
    }
  }

  entry.dissent = dropEmpty(conflicts);
}

function findConflict(witnesses: Witnesses, source: string, field: Field): Dissent | undefined {
  const { entry } = witnesses;
  const former = entry.dissent?.find((note) => note.source === source && note.field === field);
  let value = readValue(witnesses, source, field);

  if (value === undefined && former && keepsStatement(witnesses, source, field)) {
    value = former.value ?? null;
  }
  if (value === undefined || agrees(field, value, entry)) {
    return undefined;
  }

  const over = findPrecedence(witnesses, source, field, former?.over);
  return over === undefined
    ? undefined
    : dropUndefined({ source, field, value: value === null ? undefined : toLine(value), over });
}

/** Whether a source without a value keeps its earlier one. An answer without a value withdraws it, but a day is stated only once. */
function keepsStatement({ bySource }: Witnesses, source: string, field: Field): boolean {
  return field === 'releaseTimestamp' || !bySource.has(source);
}

function readValue({ bySource }: Witnesses, source: string, field: Field): StatedValue {
  const { release, answer } = bySource.get(source) ?? {};
  switch (field) {
    case 'deprecated':
      return release?.deprecated ?? (answer?.statesDeprecation ? null : undefined);
    case 'isPrerelease':
      return release?.isPrerelease?.toString();
    default:
      return release?.[field];
  }
}

/** Whether a stated value agrees with the recorded one. */
function agrees(field: Field, value: string | null, entry: RecordedRelease): boolean {
  switch (field) {
    case 'changelogUrl':
      return value === entry.changelogUrl;
    case 'deprecated':
      // Different wordings of a reason are not a conflict.
      return (value === null) === (entry.deprecated === undefined);
    case 'isPrerelease':
      return value === String(entry.isPrerelease ?? isPrereleaseForm(entry.version));
    case 'releaseTimestamp': {
      const recordedDay = findStatedDay(entry);
      return (
        value === null ||
        recordedDay === undefined ||
        Math.abs(countDaysBetween(recordedDay, cutDay(value))) <= toleratedDays
      );
    }
  }
}

/** The source of the recorded value. Undefined if it is the source itself, which stated that value before. */
function findPrecedence(
  witnesses: Witnesses,
  source: string,
  field: Field,
  formerSource: string | undefined,
): string | undefined {
  const { entry, listing } = witnesses;
  const silent: string[] = [];

  for (const id of listing.filter((listingSource) => listingSource !== source)) {
    const value = readValue(witnesses, id, field);
    if (value !== undefined && agrees(field, value, entry)) {
      return id;
    }

    if (value === undefined && keepsStatement(witnesses, id, field)) {
      silent.push(id);
    }
  }

  return [formerSource, entry.source].find((id) => id !== undefined && silent.includes(id));
}
