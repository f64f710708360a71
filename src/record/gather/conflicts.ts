import { dayOf, daysBetween } from '../../core/dates.ts';
import { claimsOf, type Dissent, type RecordedRelease } from '../../core/schemas/recorded.ts';
import { isPrereleaseForm } from '../../core/prerelease.ts';
import { defined, toLine } from '../../core/text.ts';
import type { BelievedRelease } from './believed-days.ts';

/** What a source says of a recorded release. */
export interface Statement {
  stated: BelievedRelease;
  answer: { id: string; statesDeprecation: boolean; isAccepted?: boolean };
}

type Field = Dissent['field'];

/** What is said of a field: a value, that there is none (null), or nothing. */
type Word = string | null | undefined;

interface Rule {
  said(statement: Statement): Word;
  /** Whether that is another fact than the one recorded. */
  differs(word: string | null, entry: RecordedRelease): boolean;
}

/** Days that differ by one are told apart by time zones. */
const toleratedDays = 1;

const rules: Readonly<Record<Field, Rule>> = {
  releaseTimestamp: {
    said: ({ stated }) => stated.publishedAt,
    differs: (word, { releaseTimestamp, timestampKind }) =>
      releaseTimestamp !== undefined &&
      timestampKind !== 'observed' &&
      Math.abs(daysBetween(dayOf(releaseTimestamp), dayOf(word!))) > toleratedDays,
  },
  changelogUrl: {
    said: ({ stated }) => stated.changelogUrl,
    differs: (word, { changelogUrl }) => word !== changelogUrl,
  },
  // How a reason is worded is no fact; whether there is one is.
  deprecated: {
    said: ({ stated, answer }) => stated.deprecated ?? (answer.statesDeprecation ? null : undefined),
    differs: (word, { deprecated }) => (word === null) !== (deprecated === undefined),
  },
  isPrerelease: {
    said: ({ stated }) => stated.isPrerelease?.toString(),
    differs: (word, { version, isPrerelease }) =>
      word !== (isPrerelease ?? isPrereleaseForm(version)).toString(),
  },
};
const fields = Object.keys(rules) as Field[];

export interface Listing {
  /** Ids of the sources in the order of the definition. */
  sources: readonly string[];
  /** Those that have answered. */
  sound: ReadonlyMap<string, unknown>;
}

/**
 * Records, after the words of all sources were taken, where one of them says something else than the one whose word stands. It is
 * what they say now: it goes when they agree, when one of the two no longer lists the release, or is asked no more.
 */
export function noteDissent(
  entry: RecordedRelease,
  statements: readonly Statement[],
  { sources, sound }: Listing,
): void {
  if (sources.length < 2 && entry.dissent === undefined) return;
  const bySource = new Map(statements.map((statement) => [statement.answer.id, statement]));
  const before = entry.dissent ?? [];
  const isListedBy = (id: string) =>
    claimsOf(entry).includes(id) && sources.includes(id) && (bySource.has(id) || !sound.has(id));
  const listing = sources.filter(isListedBy);
  const dissent =
    listing.length < 2 ? [] : listing.flatMap((id) => fields.flatMap((field) => of(id, field) ?? []));
  if (dissent.length > 0) entry.dissent = dissent;
  else delete entry.dissent;

  function of(source: string, field: Field): Dissent | undefined {
    const { said, differs } = rules[field];
    const known = before.find((one) => one.source === source && one.field === field);
    const statement = bySource.get(source);
    let word = statement && said(statement);
    // It did not answer, or states a day only once.
    if (word === undefined && known && (!statement || field === 'releaseTimestamp'))
      word = known.value ?? null;
    if (word === undefined || !differs(word, entry)) return undefined;
    const over = winner(source, field, known?.over);
    if (over === undefined) return undefined;
    return defined({ source, field, value: word === null ? undefined : toLine(word), over });
  }

  /** Whose word is recorded. A source that changed its own mind disagrees with nobody. */
  function winner(source: string, field: Field, before: string | undefined): string | undefined {
    const { said, differs } = rules[field];
    const others = listing.filter((id) => id !== source);
    const words = new Map(others.map((id) => [id, bySource.get(id) && said(bySource.get(id)!)]));
    const agreeing = others.find((id) => words.get(id) !== undefined && !differs(words.get(id)!, entry));
    if (agreeing !== undefined) return agreeing;
    // Who could have said something else today, and did not, holds no word; a day is stated once.
    const silent = others.filter(
      (id) => words.get(id) === undefined && (field === 'releaseTimestamp' || !bySource.has(id)),
    );
    if (before !== undefined && silent.includes(before)) return before;
    return entry.source !== source && entry.source !== undefined && silent.includes(entry.source)
      ? entry.source
      : undefined;
  }
}
