import {
  isRecommended,
  judgePair,
  listPartners,
  parseStatements,
  type PairAnswer,
  type ParsedStatement,
  type Statements,
} from '../core/model/pair-answers.ts';
import { isInRange } from '../core/model/version-range.ts';
import type { Version } from '../core/model/version.ts';
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

/** Releases of a component, oldest first, that no entry parts: each pair with them has the same answer. */
type Part = readonly [Version, ...Version[]];

/** The parts of a line with regard to other components: one, unless an entry parts the line. */
export function divideLine(
  { releases }: PartnerLine,
  partner: Partner,
  others: readonly Partner[],
): Part[] {
  const pairs = others.map((other) => listEntries(partner, other));
  return divideReleases(releases, (release) =>
    pairs.map((entries) => computeRangeKey(entries, release)).join(' '),
  );
}

/** The statements about two components, as the first of them reads them. */
interface PairEntries {
  /** Those of the first about the second. */
  readonly own: readonly ParsedStatement[];
  /** Those of the second about the first. */
  readonly stated: readonly ParsedStatement[];
}

function listEntries({ worksWith, statedBy }: Statements, { component }: Partner): PairEntries {
  return {
    own: parseStatements(worksWith?.[component]),
    stated: parseStatements(statedBy?.[component]),
  };
}

/** Parts releases, oldest first, where their place in the ranges of all entries changes. */
function divideReleases(
  releases: readonly Version[],
  computeKey: (release: Version) => string,
): Part[] {
  const parts: [Version, ...Version[]][] = [];
  let lastKey: string | undefined;

  for (const release of releases) {
    const key = computeKey(release);
    if (key === lastKey) {
      parts.at(-1)!.push(release);
    } else {
      parts.push([release]);
    }

    lastKey = key;
  }

  return parts;
}

/** Equal for releases of the first component that are in the same ranges. */
function computeRangeKey({ own, stated }: PairEntries, release: Version): string {
  const marks = own.map(({ versions }) => isInRange(versions, release));
  for (const { range, tested } of stated) {
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

/** Judges releases of a component with all of another; releases that no entry parts share a judgement. */
export interface JudgedPartner {
  readonly other: Partner;
  /** Undefined if none is stated to work with it. */
  findCompanion(version: Version): Companion | undefined;
  /** The releases that are stated not to work with it. */
  listConflicts(version: Version): Version[];
}

/** Releases of the other component, and whether they work with a release. */
interface JudgedPart {
  readonly part: Part;
  readonly answer: PairAnswer;
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

export function judgePartner(partner: Partner, other: Partner): JudgedPartner {
  const entries = listEntries(partner, other);
  const entriesOfOther = { own: entries.stated, stated: entries.own };
  const parts = divideReleases(
    other.lines.flatMap(({ releases }) => releases),
    (release) => computeRangeKey(entriesOfOther, release),
  );
  const cache = new Map<string, readonly JudgedPart[]>();

  function judgeParts(version: Version): readonly JudgedPart[] {
    const key = computeRangeKey(entries, version);
    const judgedParts =
      cache.get(key) ??
      parts.map((part) => {
        const pair = { component: other.component, version: part[0].text };
        return { part, answer: judgePair(partner, version.text, pair).answer };
      });
    cache.set(key, judgedParts);
    return judgedParts;
  }

  return {
    other,
    findCompanion(version) {
      const { greatest, newer } = findGreatest(judgeParts(version));
      if (!greatest) {
        return undefined;
      }

      return {
        greatest: greatest.text,
        recommended: findRecommended(partner, version, other),
        newer: newer?.text,
      };
    },
    listConflicts(version) {
      const conflicts = judgeParts(version).filter(({ answer }) => answer === 'bad');
      return conflicts.flatMap(({ part }) => part);
    },
  };
}

/** The greatest release that works, and the greatest one above it to try. */
function findGreatest(parts: readonly JudgedPart[]) {
  let greatest: Version | undefined;
  let newer: Version | undefined;
  let isRefused: boolean | undefined;

  for (const { part, answer } of parts) {
    if (answer === 'good') {
      greatest = part.at(-1);
      newer = undefined;
      isRefused = false;
    } else if (answer === 'bad') {
      isRefused = true;
    } else if (answer === 'not-stated' && !isRefused) {
      newer = part.at(-1);
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
  for (const { recommended } of other.worksWith?.[component] ?? []) {
    if (recommended !== undefined && isRecommended(other, recommended, { component, version })) {
      return recommended;
    }
  }

  return undefined;
}
