import {
  isRecommended,
  judgePair,
  readEntries,
  type PairAnswer,
  type ReadEntry,
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
  const entries = others.map((other) => listEntries(partner, other));
  return divideReleases(releases, (release) =>
    entries.map((each) => computeRangeKey(each, release)).join(' '),
  );
}

/** The entries of a component about another, and those about it. */
interface Entries {
  readonly entries: readonly ReadEntry[];
  readonly statedBy: readonly ReadEntry[];
}

function listEntries({ worksWith, statedBy }: Statements, { component }: Partner): Entries {
  return {
    entries: readEntries(worksWith?.[component]),
    statedBy: readEntries(statedBy?.[component]),
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

/** The place of a release in the ranges of all entries, as a key. */
function computeRangeKey({ entries, statedBy }: Entries, release: Version): string {
  const ownDigits = entries.map(({ versions }) => (isInRange(versions, release) ? '1' : '0'));
  const statedDigits = statedBy.map(({ range, tested }) => {
    const isInside = isInRange(range, release);
    return isInside && !isInRange(tested, release) ? '2' : Number(isInside);
  });
  return [...ownDigits, ...statedDigits].join('');
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
  /** Undefined if none is stated to work with it. */
  findCompanion(version: Version): Companion | undefined;
  /** The releases that are stated not to work with it. */
  conflictsWith(version: Version): readonly Version[];
}

export function judgePartner(partner: Partner, other: Partner): JudgedPartner {
  const entries = listEntries(partner, other);
  const entriesOfOther = { entries: entries.statedBy, statedBy: entries.entries };
  const parts = divideReleases(
    other.lines.flatMap(({ releases }) => releases),
    (release) => computeRangeKey(entriesOfOther, release),
  );

  const cache = new Map<string, readonly PairAnswer[]>();

  return {
    findCompanion(version) {
      const answers = listAnswersFor(version);
      const index = answers.lastIndexOf('good');
      const greatest = parts[index]?.at(-1);
      if (!greatest) {
        return undefined;
      }

      const firstBad = answers.indexOf('bad', index);
      const end = firstBad === -1 ? answers.length : firstBad;
      const newerIndex = answers.lastIndexOf('not-stated', end - 1);
      return {
        greatest: greatest.text,
        recommended: findRecommended(version),
        newer: newerIndex > index ? parts[newerIndex]?.at(-1)?.text : undefined,
      };
    },
    conflictsWith(version) {
      const answers = listAnswersFor(version);
      return parts.filter((_, index) => answers[index] === 'bad').flat();
    },
  };

  /** The answer for each part. */
  function listAnswersFor(version: Version): readonly PairAnswer[] {
    const key = computeRangeKey(entries, version);
    const answers =
      cache.get(key) ??
      parts.map(([{ text }]) => {
        const pair = { component: other.component, version: text };
        return judgePair(partner, version.text, pair).answer;
      });
    cache.set(key, answers);
    return answers;
  }

  function findRecommended({ text }: Version): string | undefined {
    const subject = { component: partner.component, version: text };
    const versions = (other.worksWith?.[partner.component] ?? [])
      .map(({ recommended }) => recommended)
      .filter((value) => value !== undefined);
    return versions.find((version) => isRecommended(other, version, subject));
  }
}
