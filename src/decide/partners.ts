import {
  isRecommended,
  judgePair,
  listPartners,
  listStatementsOn,
  parseStatements,
  type PairAnswer,
  type ParsedStatement,
  type Statements,
} from '../core/model/pair-answers.ts';
import { isInRange } from '../core/model/version-range.ts';
import { compareVersions, type Version } from '../core/model/version.ts';
import type { Component } from './component.ts';

/** A component with compatibility statements by or about it; only the parts that tables need. */
export interface Partner extends Statements {
  readonly title: string;
  /** Oldest first, with the stable releases that are not withdrawn. */
  readonly lines: readonly PartnerLine[];
}

interface PartnerLine {
  readonly name: string;
  /** Oldest first, at least one. */
  readonly releases: readonly Version[];
}

export type Partners = ReadonlyMap<string, Partner>;

export function describePartner({ name, definition, judgement, statedBy }: Component): Partner {
  const lines = judgement.lines.map((line) => ({
    name: line.name,
    releases: line.releases
      .filter(({ isPrerelease, state }) => !isPrerelease && state !== 'withdrawn')
      .map(({ parsed }) => parsed),
  }));

  return {
    component: name,
    title: definition.title,
    worksWith: definition.worksWith,
    statedBy,
    lines: lines.filter(({ releases }) => releases.length > 0),
  };
}

/** Consecutive releases that the same statements cover, oldest first: a release of another component has one answer for all of them. */
type Segment = readonly [Version, ...Version[]];

/** Divides releases, oldest first, where a statement of or about one of the others begins or ceases to cover them. */
export function divideReleases(
  releases: readonly Version[],
  partner: Partner,
  others: readonly Partner[],
): Segment[] {
  const statements = others.map((other) => parseMutualStatements(partner, other));
  const segments: [Version, ...Version[]][] = [];
  let lastKey: string | undefined;

  for (const release of releases) {
    const key = statements.map((mutual) => computeCoverageKey(mutual, release)).join(' ');
    const segment = segments.at(-1);
    if (segment && key === lastKey) {
      segment.push(release);
    } else {
      segments.push([release]);
    }

    lastKey = key;
  }

  return segments;
}

/** The statements of two components about each other. */
interface MutualStatements {
  readonly ofPartner: readonly ParsedStatement[];
  readonly ofOther: readonly ParsedStatement[];
}

function parseMutualStatements(
  { worksWith, statedBy }: Partner,
  { component }: Partner,
): MutualStatements {
  return {
    ofPartner: parseStatements(listStatementsOn(worksWith, component)),
    ofOther: parseStatements(listStatementsOn(statedBy, component)),
  };
}

/** Equal for releases of the partner that the same statements cover. */
function computeCoverageKey({ ofPartner, ofOther }: MutualStatements, release: Version): string {
  const marks = ofPartner.map(({ versions }) => isInRange(versions, release));
  for (const { range, tested } of ofOther) {
    const isInside = isInRange(range, release);
    marks.push(isInside, isInside && !isInRange(tested, release));
  }
  return marks.map(Number).join('');
}

/** A component and another one that it has statements with. */
export interface PartnerPair {
  readonly partner: Partner;
  readonly other: Partner;
  /** All releases of the other component, oldest first. */
  readonly segments: readonly Segment[];
}

/** A component with each of its partners in the index. */
export function listPairs(partner: Partner, partners: Partners): PartnerPair[] {
  const pairs: PartnerPair[] = [];
  for (const name of listPartners(partner)) {
    const other = partners.get(name);
    if (other) {
      const releases = other.lines.flatMap((line) => line.releases).sort(compareVersions);
      pairs.push({ partner, other, segments: divideReleases(releases, other, [partner]) });
    }
  }
  return pairs;
}

/** The releases of the other component that go with a release. */
export interface Companion {
  /** The greatest release that is stated to work with it. */
  readonly greatest: string;
  /** The version that is recommended for it. */
  readonly recommended?: string | undefined;
  /** A greater release without a statement, below all greater ones that are stated not to work. */
  readonly newer?: string | undefined;
}

/** Undefined if no release of the other component is stated to work with the version. */
export function findCompanion(pair: PartnerPair, version: Version): Companion | undefined {
  const judgedSegments = judgeSegments(pair, version);
  const index = judgedSegments.findLastIndex(({ answer }) => answer === 'good');
  const greatest = judgedSegments[index]?.segment.at(-1);
  return (
    greatest && {
      greatest: greatest.text,
      recommended: findRecommended(pair, version),
      newer: findNewer(judgedSegments.slice(index + 1))?.text,
    }
  );
}

/** The releases of the other component that are stated not to work with the version. */
export function listConflicts(pair: PartnerPair, version: Version): Version[] {
  const conflicts = judgeSegments(pair, version).filter(({ answer }) => answer === 'bad');
  return conflicts.flatMap(({ segment }) => segment);
}

interface JudgedSegment {
  readonly segment: Segment;
  readonly answer: PairAnswer;
}

/** Whether the releases of the other component work with a version. */
function judgeSegments(
  { partner, other: { component }, segments }: PartnerPair,
  version: Version,
): JudgedSegment[] {
  return segments.map((segment) => {
    const release = { component, version: segment[0].text };
    return { segment, answer: judgePair(partner, version.text, release).answer };
  });
}

/** The greatest release without a statement, below all that are stated not to work. */
function findNewer(judgedSegments: readonly JudgedSegment[]): Version | undefined {
  let newer: Version | undefined;
  for (const { segment, answer } of judgedSegments) {
    if (answer === 'bad') {
      break;
    }
    if (answer === 'not-stated') {
      newer = segment.at(-1);
    }
  }
  return newer;
}

/** The first version that the other component recommends for a version. */
function findRecommended(
  { partner: { component }, other }: PartnerPair,
  { text: version }: Version,
): string | undefined {
  for (const { recommended } of listStatementsOn(other.worksWith, component)) {
    if (recommended !== undefined && isRecommended(other, recommended, { component, version })) {
      return recommended;
    }
  }

  return undefined;
}
