import { cutDay, daysBetween } from '../../core/model/dates.ts';
import { defined } from '../../core/model/objects.ts';
import { isPrereleaseForm } from '../../core/model/version.ts';
import {
  listingSources,
  type Dissent,
  type RecordedRelease,
} from '../../core/schemas/recorded/recorded.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import type { StatedRelease } from '../sources/datasource.ts';
import type { SoundAnswer } from './sound-answer.ts';

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

  return Math.abs(daysBetween(cutDay(releaseTimestamp), cutDay(value))) > toleratedDays;
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
  const before = entry.dissent ?? [];
  const bySource = new Map(statements.map((statement) => [statement.answer.id, statement]));
  const listing = sources.filter(
    (id) => listingSources(entry).includes(id) && (bySource.has(id) || !sound.has(id)),
  );

  const readValue = (id: string, field: Field): StatedValue => {
    const statement = bySource.get(id);
    return statement && listValues(statement)[field];
  };

  const conflicts = listing.flatMap((source) =>
    fields
      .map((field): Dissent | undefined => {
        const former = before.find((one) => one.source === source && one.field === field);

        // A source that did not answer keeps its statement. Days are stated only once.
        const isRemembered = former && (!bySource.has(source) || field === 'releaseTimestamp');
        const statedValue = readValue(source, field);
        const value =
          statedValue === undefined && isRemembered ? (former.value ?? null) : statedValue;
        if (value === undefined || !differs(field, value, entry)) {
          return undefined;
        }

        const over = precedence(source, field, former?.over);
        if (over === undefined) {
          return undefined;
        }

        return defined({ source, field, value: value === null ? undefined : toLine(value), over });
      })
      .filter((value) => value !== undefined),
  );

  if (conflicts.length > 0) {
    entry.dissent = conflicts;
  } else {
    delete entry.dissent;
  }

  /** The source of the recorded value. A source that changed its own statement has no conflict. */
  function precedence(
    source: string,
    field: Field,
    earlier: string | undefined,
  ): string | undefined {
    const others = listing.filter((id) => id !== source);
    const agreeing = others.find((id) => {
      const value = readValue(id, field);
      return value !== undefined && !differs(field, value, entry);
    });
    if (agreeing !== undefined) {
      return agreeing;
    }

    // A source that answered without a value has withdrawn it, except for days, which are stated once.
    const silent = others.filter(
      (id) =>
        readValue(id, field) === undefined && (field === 'releaseTimestamp' || !bySource.has(id)),
    );
    return [earlier, entry.source].find((id) => id !== undefined && silent.includes(id));
  }
}
