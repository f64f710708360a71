import type { Compatibility, WorksWith } from '../schemas/definition/works-with.ts';
import { keepByObject } from './objects.ts';
import {
  isInRange,
  parseVersionRange,
  type VersionRange,
  type Comparator,
} from './version-range.ts';
import { parseVersion, type Version } from './version.ts';

export const pairAnswers = ['good', 'bad', 'limited', 'not-stated'] as const;
export type PairAnswer = (typeof pairAnswers)[number];

/** In order of precedence: a statement that excludes a pair prevails. */
const statedAnswers = ['bad', 'good', 'limited'] as const;
type StatedAnswer = (typeof statedAnswers)[number];

export interface ComponentVersion {
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

/** A statement of one component, the subject, about a pair. */
export interface PairStatement {
  readonly answer: StatedAnswer;
  readonly statement: Compatibility;
  readonly subject: ComponentVersion;
  readonly object: ComponentVersion;
}

/** Whether a release works with a version of another component, and the statements behind it. */
export function judgePair(
  { component, worksWith, statedBy }: Statements,
  version: string,
  partner: ComponentVersion,
): { readonly answer: PairAnswer; readonly statements: readonly PairStatement[] } {
  const release = { component, version };
  const statements = [
    ...judgeStatements(listStatementsOn(worksWith, partner.component), release, partner),
    ...judgeStatements(listStatementsOn(statedBy, partner.component), partner, release),
  ];

  const answers = new Set(statements.map(({ answer }) => answer));
  const isDisputed = answers.has('bad') && answers.has('good');
  return {
    answer: statedAnswers.find((answer) => answers.has(answer)) ?? 'not-stated',
    statements: isDisputed ? statements.filter(({ answer }) => answer !== 'limited') : statements,
  };
}

/** The statements on a component. Only own keys: `constructor` is a valid name, and a key of every object. */
export function listStatementsOn(
  statements: WorksWith | undefined,
  component: string,
): readonly Compatibility[] {
  return statements && Object.hasOwn(statements, component) ? (statements[component] ?? []) : [];
}

/** The statements of the subject that cover its release and decide about the pair. */
function judgeStatements(
  statements: readonly Compatibility[],
  subject: ComponentVersion,
  object: ComponentVersion,
): PairStatement[] {
  const subjectVersion = parseVersion(subject.version);
  const objectVersion = parseVersion(object.version);
  if (!subjectVersion || !objectVersion) {
    return [];
  }

  const judged: PairStatement[] = [];
  for (const covering of listCovering(statements, subjectVersion)) {
    const answer = findStatedAnswer(covering, objectVersion);
    if (answer) {
      judged.push({ answer, statement: covering.statement, subject, object });
    }
  }
  return judged;
}

/** A statement with its versions as ranges. Each pair of releases reads the same statements again. */
export const parseStatement = /* @__PURE__ */ keepByObject(parseRanges);

export type ParsedStatement = ReturnType<typeof parseRanges>;

function parseRanges(statement: Compatibility) {
  const { versions, recommended, testedTo } = statement;
  return {
    statement,
    /** The releases that it covers. The schema accepts only versions and ranges that can be parsed. */
    versions: parseVersionRange(versions ?? `=${recommended}`)!,
    /** The versions of the other component inside its bounds, without `testedTo`: nothing is stated beyond that version. */
    range: parseBounds({ ...statement, testedTo: undefined }),
    /** The versions of the other component up to `testedTo`. */
    tested: parseBounds({ testedTo }),
  };
}

export type Bounds = Pick<Compatibility, 'from' | 'testedTo' | 'before' | 'with'>;

/** The versions of the other component inside the bounds of a statement. */
export function parseBounds({ from, testedTo, before, with: range }: Bounds): VersionRange {
  if (range !== undefined) {
    return parseVersionRange(range)!;
  }

  const bounds = [createBound('>=', from), createBound('<', before), createBound('<=', testedTo)];
  return [bounds.filter((bound) => bound !== undefined)];
}

function createBound(sign: Comparator['sign'], version?: string): Comparator | undefined {
  return version === undefined ? undefined : { sign, bound: parseVersion(version)! };
}

/** The statements that cover a release. */
export function listCovering(
  statements: readonly Compatibility[],
  release: Version,
): ParsedStatement[] {
  return statements.map(parseStatement).filter(({ versions }) => isInRange(versions, release));
}

/** The answer of a statement for a version of the other component; undefined where it says nothing about it. */
function findStatedAnswer(
  { statement, range, tested }: ParsedStatement,
  version: Version,
): StatedAnswer | undefined {
  const isInside = isInRange(range, version);
  if (statement.feature !== undefined) {
    return isInside ? undefined : 'limited';
  }
  if (!isInside) {
    return statement.recommended === undefined ? 'bad' : undefined;
  }

  return isInRange(tested, version) ? 'good' : undefined;
}

/** The version of a component that it recommends for a version of another: the first that its statements name. */
export function findRecommended(
  { worksWith }: Statements,
  partner: string,
  partnerVersion: Version,
): string | undefined {
  const recommending = listStatementsOn(worksWith, partner)
    .map(parseStatement)
    .find(
      (parsed) =>
        parsed.statement.recommended !== undefined &&
        findStatedAnswer(parsed, partnerVersion) === 'good',
    );
  return recommending?.statement.recommended;
}

/** The statements about each component, by the component that states them. A definition that cannot be read has no value. */
export function collectStatedBy(
  definitions: ReadonlyMap<string, { readonly value?: Pick<Statements, 'worksWith'> | undefined }>,
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
