import type { Compatibility, WorksWith } from '../schemas/definition/works-with.ts';
import { dropUndefined } from './objects.ts';
import {
  compareToBound,
  isInRange,
  parseVersionRange,
  type VersionRange,
} from './version-range.ts';
import { parseVersion, type Version } from './version.ts';

export const pairAnswers = ['good', 'bad', 'limited', 'not-stated'] as const;
export type PairAnswer = (typeof pairAnswers)[number];

interface ComponentVersion {
  readonly component: string;
  readonly version: string;
}

/** The statements of a component and of others about each other. */
export interface Statements {
  readonly component: string;
  /** Its own statements, by the other component. */
  readonly worksWith?: WorksWith | undefined;
  /** The statements of others about it, by the component that states them. */
  readonly statedBy?: WorksWith | undefined;
}

interface JudgedPair {
  readonly answer: PairAnswer;
  /** The statements behind the answer, each in a sentence with its address. */
  readonly because: readonly { readonly text: string; readonly url?: string }[];
}

/** A parsed statement. */
export interface ReadEntry {
  readonly statement: Compatibility;
  readonly versions: VersionRange;
  /** The bounds as a range, without `testedTo`: nothing is stated beyond it. */
  readonly range: VersionRange;
  /** The versions up to `testedTo`. */
  readonly tested: VersionRange;
}

const entries = new WeakMap<Compatibility, ReadEntry>();

function readEntry(statement: Compatibility): ReadEntry {
  const { versions = `=${statement.recommended}`, testedTo } = statement;
  const entry = entries.get(statement) ?? {
    statement,
    versions: parseVersionRange(versions)!,
    range: parseVersionRange(readRange({ ...statement, testedTo: undefined }))!,
    tested: parseVersionRange(testedTo === undefined ? '*' : `<=${testedTo}`)!,
  };
  entries.set(statement, entry);
  return entry;
}

export function readEntries(statements: readonly Compatibility[] = []): ReadEntry[] {
  return statements.map(readEntry);
}

/** The statements that cover a release. */
export function listEntriesFor(
  version: Version,
  statements?: readonly Compatibility[],
): ReadEntry[] {
  return readEntries(statements).filter(({ versions }) => isInRange(versions, version));
}

/** The versions of the other component that work by an entry, as a range. */
export function readRange(statement: Compatibility): string {
  const { from, testedTo, before, with: range } = statement;
  const bounds = [from && `>=${from}`, before && `<${before}`, testedTo && `<=${testedTo}`];
  return range ?? (bounds.filter(Boolean).join(' ') || '*');
}

/** The answer of one entry; undefined where it does not cover the version of the other component. */
function judgeEntry({ statement, range, tested }: ReadEntry, other: Version) {
  const isInside = isInRange(range, other);
  if (statement.feature !== undefined) {
    return isInside ? undefined : 'limited';
  }
  if (!isInside) {
    return statement.recommended === undefined ? 'bad' : undefined;
  }

  return isInRange(tested, other) ? 'good' : undefined;
}

/** A statement of one component, the subject, about a pair. */
export interface PairStatement {
  readonly is: Exclude<PairAnswer, 'not-stated'>;
  readonly statement: Compatibility;
  readonly subject: ComponentVersion;
  readonly object: ComponentVersion;
}

/**
 * Whether a release works with a version of another component, and the statements behind it. Only statements that cover the stating
 * release decide; a statement that excludes the pair prevails.
 */
export function findStatements(
  { component, worksWith, statedBy }: Statements,
  version: string,
  other: ComponentVersion,
): { readonly answer: PairAnswer; readonly behind: readonly PairStatement[] } {
  const subject = { component, version };
  const statements = [
    ...listStatements(worksWith?.[other.component], subject, other),
    ...listStatements(statedBy?.[other.component], other, subject),
  ];
  const answer = (['bad', 'good', 'limited'] as const).find((each) =>
    statements.some(({ is }) => is === each),
  );
  const isDisputed = answer === 'bad' && statements.some(({ is }) => is === 'good');
  const behind = isDisputed ? statements.filter(({ is }) => is !== 'limited') : statements;

  return { answer: answer ?? 'not-stated', behind };
}

/** The statements of the subject that cover its release. */
function listStatements(
  statements: readonly Compatibility[] | undefined,
  subject: ComponentVersion,
  object: ComponentVersion,
): PairStatement[] {
  const subjectVersion = statements && parseVersion(subject.version);
  const other = subjectVersion && parseVersion(object.version);
  if (!other) {
    return [];
  }

  const pairStatements: PairStatement[] = [];
  for (const entry of listEntriesFor(subjectVersion, statements)) {
    const is = judgeEntry(entry, other);
    if (is !== undefined) {
      pairStatements.push({ is, statement: entry.statement, subject, object });
    }
  }
  return pairStatements;
}

/** The answer about a pair, with the statements behind it in words. */
export function judgePair(
  statements: Statements,
  version: string,
  other: ComponentVersion,
): JudgedPair {
  const { answer, behind } = findStatements(statements, version, other);
  return {
    answer,
    because: behind.map(({ statement, subject, object }) =>
      dropUndefined({
        text: describeStatement(statement, subject.component, object.component),
        url: statement.url,
      }),
    ),
  };
}

/** `svcctl 1.23 works with svc 2024.3 or later, tested up to 2026.2.` */
export function describeStatement(
  statement: Compatibility,
  component: string,
  other: string,
): string {
  const { feature, recommended, reason, versions: range = `=${recommended}` } = statement;
  const subject = range === '*' ? component : `${component} ${describeRange(range)}`;
  const object = `${other} ${describeBounds(statement)}`;
  const because = reason === undefined ? '' : ` ${reason}`;
  if (statement.versions === undefined) {
    return `${subject} is recommended with ${object}.${because}`;
  }

  return feature === undefined
    ? `${subject} works with ${object}.${because}`
    : `${subject} needs ${object} for ${feature}.${because}`;
}

/** `>=3.17 <4 || =5.1` as `3.17 or later, before 4 or 5.1`. */
function describeRange(range: string): string {
  return range
    .replaceAll('||', 'or')
    .replaceAll(/>=\s*([^\s,]+)/g, '$1 or later')
    .replaceAll(/>\s*([^\s,]+)/g, 'later than $1')
    .replaceAll(/<=\s*/g, 'up to ')
    .replaceAll(/<\s*/g, 'before ')
    .replaceAll(/=\s*/g, '')
    .replaceAll(/(?<!\bor) (?=up to|before)/g, ', ');
}

/** `2025.1 or later, before 2027.1`. */
export function describeBounds({ from, testedTo, before, with: range }: Compatibility): string {
  if (range !== undefined) {
    return describeRange(range);
  }
  if (from !== undefined && from === testedTo) {
    return from;
  }

  const bounds = [
    from && `${from} or later`,
    before && `before ${before}`,
    testedTo && `tested up to ${testedTo}`,
  ];
  return bounds.filter(Boolean).join(', ');
}

export const answerLabels: Readonly<Record<PairAnswer, string>> = {
  good: 'Works',
  bad: 'Does not work',
  limited: 'Works in part',
  'not-stated': 'Not stated',
};

/** Whether a component recommends its own `version` for a version of another component. */
export function isRecommended(
  { worksWith = {} }: Statements,
  version: string,
  other: ComponentVersion,
): boolean {
  const parsed = parseVersion(version);
  const parsedOther = parseVersion(other.version);
  if (!parsed || !parsedOther) {
    return false;
  }

  return (worksWith[other.component] ?? []).some((statement) => {
    const recommended = parseVersion(statement.recommended ?? '');
    return (
      recommended &&
      compareToBound(parsed, recommended) === 0 &&
      judgeEntry(readEntry(statement), parsedOther) === 'good'
    );
  });
}

/** A definition, absent if it cannot be read. */
interface StatingDefinition {
  readonly value?: { readonly worksWith?: WorksWith | undefined } | undefined;
}

/** The statements about each component, by the component that states them. */
export function listStatementsByComponent(
  definitions: ReadonlyMap<string, StatingDefinition>,
): ReadonlyMap<string, WorksWith> {
  const statements = new Map<string, WorksWith>();
  for (const [author, { value }] of definitions) {
    for (const [component, list] of Object.entries(value?.worksWith ?? {})) {
      const statedBy = statements.get(component) ?? {};
      statedBy[author] = list;
      statements.set(component, statedBy);
    }
  }
  return statements;
}

/** The other components in its own statements and in statements about it. */
export function listPartners({ worksWith = {}, statedBy = {} }: Statements): string[] {
  return [...new Set([...Object.keys(worksWith), ...Object.keys(statedBy)])].sort();
}
