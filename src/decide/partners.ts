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

/** The releases of a line, divided where a statement of or about other components begins or ceases to cover them. */
export function divideLine(
  { releases }: PartnerLine,
  partner: Partner,
  others: readonly Partner[],
): Segment[] {
  const pairs = others.map((other) => parsePair(partner, other));
  return divideReleases(releases, (release) =>
    pairs.map((pair) => computeCoverageKey(pair, release)).join(' '),
  );
}

/** The statements of two components about each other. */
interface PairStatements {
  readonly ofFirst: readonly ParsedStatement[];
  readonly ofSecond: readonly ParsedStatement[];
}

function parsePair({ worksWith, statedBy }: Statements, { component }: Partner): PairStatements {
  return {
    ofFirst: parseStatements(listStatementsOn(worksWith, component)),
    ofSecond: parseStatements(listStatementsOn(statedBy, component)),
  };
}

/** Groups consecutive releases with the same key. */
function divideReleases(
  releases: readonly Version[],
  computeKey: (release: Version) => string,
): Segment[] {
  const segments: [Version, ...Version[]][] = [];
  let lastKey: string | undefined;

  for (const release of releases) {
    const key = computeKey(release);
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

/** Equal for releases of the first component that the same statements cover. */
function computeCoverageKey({ ofFirst, ofSecond }: PairStatements, release: Version): string {
  const marks = ofFirst.map(({ versions }) => isInRange(versions, release));
  for (const { range, tested } of ofSecond) {
    const isInside = isInRange(range, release);
    marks.push(isInside, isInside && !isInRange(tested, release));
  }
  return marks.map(Number).join('');
}

/** The releases of a component that go with a release of another. */
export interface Companion {
  /** The greatest release that is stated to work with it. */
  readonly greatest: string;
  /** The version that is recommended for it. */
  readonly recommended?: string | undefined;
  /** A greater release without a statement, below all greater ones that are stated not to work. */
  readonly newer?: string | undefined;
}

/** The releases of another component that go with a release, and those that do not. */
export interface JudgedPartner {
  readonly other: Partner;
  /** Undefined if no release is stated to work with it. */
  findCompanion(version: Version): Companion | undefined;
  /** The releases that are stated not to work with it. */
  listConflicts(version: Version): Version[];
}

/** Judges a component with each of its partners in the index. */
export function judgePartners(partner: Partner, partners: Partners): JudgedPartner[] {
  const judged: JudgedPartner[] = [];
  for (const name of listPartners(partner)) {
    const other = partners.get(name);
    if (other) {
      judged.push(judgePartner(partner, other));
    }
  }
  return judged;
}

/** Releases of the other component, and whether they work with a release. */
interface JudgedSegment {
  readonly segment: Segment;
  readonly answer: PairAnswer;
}

export function judgePartner(partner: Partner, other: Partner): JudgedPartner {
  const { ofFirst, ofSecond } = parsePair(partner, other);
  const segments = divideReleases(
    other.lines.flatMap(({ releases }) => releases).sort(compareVersions),
    (release) => computeCoverageKey({ ofFirst: ofSecond, ofSecond: ofFirst }, release),
  );

  function judgeSegments(version: Version): JudgedSegment[] {
    return segments.map((segment) => {
      const pair = { component: other.component, version: segment[0].text };
      return { segment, answer: judgePair(partner, version.text, pair).answer };
    });
  }

  return {
    other,
    findCompanion(version) {
      const { greatest, newer } = findGreatest(judgeSegments(version));
      const recommended = findRecommended(partner, version, other);
      return greatest && { greatest: greatest.text, recommended, newer: newer?.text };
    },
    listConflicts(version) {
      const conflicts = judgeSegments(version).filter(({ answer }) => answer === 'bad');
      return conflicts.flatMap(({ segment }) => segment);
    },
  };
}

/** The greatest release that works, and the greatest one above it to try. */
function findGreatest(judgedSegments: readonly JudgedSegment[]) {
  const index = judgedSegments.findLastIndex(({ answer }) => answer === 'good');
  const greatest = judgedSegments[index]?.segment.at(-1);
  let newer: Version | undefined;

  for (const { segment, answer } of judgedSegments.slice(index + 1)) {
    if (answer === 'bad') {
      break;
    }
    if (answer === 'not-stated') {
      newer = segment.at(-1);
    }
  }

  return { greatest, newer };
}

/** The first version that the other component recommends for a release. */
function findRecommended(
  { component }: Partner,
  { text: version }: Version,
  other: Partner,
): string | undefined {
  for (const { recommended } of listStatementsOn(other.worksWith, component)) {
    if (recommended !== undefined && isRecommended(other, recommended, { component, version })) {
      return recommended;
    }
  }

  return undefined;
}
