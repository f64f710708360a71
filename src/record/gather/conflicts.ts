import { dayOf, daysBetween } from '../../core/dates.ts';
import { isPrereleaseForm } from '../../core/prerelease.ts';
import { listingSources, type Dissent, type RecordedRelease } from '../../core/schemas/recorded.ts';
import { defined, toLine } from '../../core/text.ts';
import type { AcceptedRelease } from './stated-release.ts';

/** What a source states of a recorded release. */
export interface Statement {
  stated: AcceptedRelease;
  answer: { id: string; statesDeprecation: boolean; isAccepted?: boolean };
}

type Field = Dissent['field'];

/** Null: it states that there is none. Undefined: it states nothing. */
type StatedValue = string | null | undefined;

/** Days may differ by one, for time zones. */
const toleratedDays = 1;

const rules: Readonly<
  Record<
    Field,
    {
      value(statement: Statement): StatedValue;
      /** Whether that is another fact than the recorded one. */
      differs(value: string | null, entry: RecordedRelease): boolean;
    }
  >
> = {
  releaseTimestamp: {
    value: ({ stated }) => stated.publishedAt,
    differs: (value, { releaseTimestamp, timestampKind }) =>
      releaseTimestamp !== undefined &&
      timestampKind !== 'observed' &&
      Math.abs(daysBetween(dayOf(releaseTimestamp), dayOf(value!))) > toleratedDays,
  },
  changelogUrl: {
    value: ({ stated }) => stated.changelogUrl,
    differs: (value, { changelogUrl }) => value !== changelogUrl,
  },
  // Two wordings of a reason are no conflict.
  deprecated: {
    value: ({ stated, answer }) => stated.deprecated ?? (answer.statesDeprecation ? null : undefined),
    differs: (value, { deprecated }) => (value === null) !== (deprecated === undefined),
  },
  isPrerelease: {
    value: ({ stated }) => stated.isPrerelease?.toString(),
    differs: (value, { version, isPrerelease }) =>
      value !== (isPrerelease ?? isPrereleaseForm(version)).toString(),
  },
};
const fields = Object.keys(rules) as Field[];

/**
 * Records, after the statements of all sources were merged, where one of them states another value than the one that takes
 * precedence. It holds for today only: it goes when they agree, or when one of the two no longer lists the release or is
 * no longer in the definition. `sources`: ids in the order of the definition; `sound`: those that have answered.
 */
export function noteConflicts(
  entry: RecordedRelease,
  statements: readonly Statement[],
  { sources, sound }: { sources: readonly string[]; sound: ReadonlyMap<string, unknown> },
): void {
  const before = entry.dissent ?? [];
  const bySource = new Map(statements.map((statement) => [statement.answer.id, statement]));
  const listing = sources.filter(
    (id) => listingSources(entry).includes(id) && (bySource.has(id) || !sound.has(id)),
  );
  const valueOf = (id: string, field: Field): StatedValue => {
    const statement = bySource.get(id);
    return statement && rules[field].value(statement);
  };
  const conflicts = listing.flatMap((source) =>
    fields.flatMap((field): Dissent | [] => {
      const known = before.find((one) => one.source === source && one.field === field);
      // A source that did not answer still states what it did, and a day is stated only once.
      const isRemembered = known && (!bySource.has(source) || field === 'releaseTimestamp');
      const stated = valueOf(source, field);
      const value = stated === undefined && isRemembered ? (known.value ?? null) : stated;
      if (value === undefined || !rules[field].differs(value, entry)) return [];
      const over = precedence(source, field, known?.over);
      if (over === undefined) return [];
      return defined({ source, field, value: value === null ? undefined : toLine(value), over });
    }),
  );
  if (conflicts.length > 0) entry.dissent = conflicts;
  else delete entry.dissent;

  /** The source whose value is recorded. A source that changed its own statement conflicts with nobody. */
  function precedence(source: string, field: Field, earlier: string | undefined): string | undefined {
    const others = listing.filter((id) => id !== source);
    const agreeing = others.find((id) => {
      const value = valueOf(id, field);
      return value !== undefined && !rules[field].differs(value, entry);
    });
    if (agreeing !== undefined) return agreeing;
    // A source that answered without a value has withdrawn it, but for a day, which is stated once.
    const silent = others.filter(
      (id) => valueOf(id, field) === undefined && (field === 'releaseTimestamp' || !bySource.has(id)),
    );
    return [earlier, entry.source].find((id) => id !== undefined && silent.includes(id));
  }
}
