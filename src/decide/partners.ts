import { groupNeighbours, keepByObject } from '../core/model/objects.ts';
import {
  findRecommended,
  judgePair,
  listCovering,
  listPartners,
  listStatementsOn,
  parseStatement,
  type ParsedStatement,
} from '../core/model/pair-answers.ts';
import { isInRange } from '../core/model/version-range.ts';
import { compareVersions, type Version } from '../core/model/version.ts';
import type { WorksWith } from '../core/schemas/definition/works-with.ts';
import type { Companion } from '../core/schemas/published/compatibility-file.ts';
import type { Component } from './component.ts';

/** A component with statements about what it works with, its own or those of its partners; only the parts that tables need. */
export type ComparedComponent = ReturnType<typeof createComparedComponent>;

/** By name. */
export type ComparedComponents = ReadonlyMap<string, ComparedComponent>;

export function createComparedComponent({ name, definition, judgement, statedBy }: Component) {
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
    /** Oldest first, with the stable releases that are not withdrawn, at least one. */
    lines: lines.filter(({ releases }) => releases.length > 0),
  };
}

/** Consecutive releases that the same statements cover, oldest first. One of them stands for all: each has the same answers. */
type Segment = readonly [Version, ...Version[]];

/**
 * Divides releases of a component, oldest first, where a statement by or about one of these partners begins or ceases to cover them.
 */
export function divideReleases(
  releases: readonly Version[],
  component: ComparedComponent,
  partners: readonly ComparedComponent[],
): Segment[] {
  const ownStatements = partners.flatMap((partner) => listParsed(component.worksWith, partner));
  const partnerStatements = partners.flatMap((partner) => listParsed(component.statedBy, partner));
  const findKey = keepByObject((release: Version) =>
    computeCoverageKey(ownStatements, partnerStatements, release),
  );
  return groupNeighbours(releases, (release, first) => findKey(release) === findKey(first));
}

function listParsed(
  statements: ComparedComponent['worksWith'],
  { component }: ComparedComponent,
): ParsedStatement[] {
  return listStatementsOn(statements, component).map(parseStatement);
}

/**
 * Equal for releases of a component that the same statements cover, its own and those of others about it: one digit for each fact
 * that a statement decides by.
 */
function computeCoverageKey(
  ownStatements: readonly ParsedStatement[],
  partnerStatements: readonly ParsedStatement[],
  release: Version,
): string {
  const marks = ownStatements.map(({ versions }) => isInRange(versions, release));
  for (const { range, tested } of partnerStatements) {
    const isInside = isInRange(range, release);
    // Outside the range, a statement does not ask for tests.
    marks.push(isInside, isInside && isInRange(tested, release));
  }
  return marks.map(Number).join('');
}

/** A component and one of its partners: another component with statements by or about it. */
export type PartnerPair = ReturnType<typeof listPairs>[number];

/**
 * A component with each of its partners in the index. `segments`: the releases of the partner, oldest first, with its statements that
 * cover them.
 */
export function listPairs(component: ComparedComponent, comparedComponents: ComparedComponents) {
  const pairs = [];
  for (const name of listPartners(component)) {
    const partner = comparedComponents.get(name);
    if (partner) {
      const releases = partner.lines.flatMap((line) => line.releases).sort(compareVersions);
      const segments = divideReleases(releases, partner, [component]).map((segment) => ({
        releases: segment,
        statedBy: selectCovering(component.statedBy, name, segment[0]),
      }));
      pairs.push({ component, partner, segments });
    }
  }
  return pairs;
}

/** The statements by or about a partner that cover a release. */
function selectCovering(
  statements: WorksWith | undefined,
  partner: string,
  release: Version,
): WorksWith {
  const covering = listCovering(listStatementsOn(statements, partner), release);
  return { [partner]: covering.map(({ statement }) => statement) };
}

/** The releases of the partner that go with a version. Undefined if no release of the partner is stated to work with the version. */
export function findCompanion(pair: PartnerPair, version: Version): Companion | undefined {
  const judgedSegments = judgeSegments(pair, version);
  const index = judgedSegments.findLastIndex(({ answer }) => answer === 'good');
  const greatest = judgedSegments[index]?.releases.at(-1);
  return (
    greatest && {
      greatest: greatest.text,
      recommended: findRecommended(pair.partner, pair.component.component, version),
      newer: findNewer(judgedSegments.slice(index + 1))?.text,
    }
  );
}

/** The releases of the partner that are stated not to work with the version, with these statements. */
export function listConflicts(pair: PartnerPair, version: Version) {
  return judgeSegments(pair, version).filter(({ answer }) => answer === 'bad');
}

/**
 * Whether the releases of the partner work with a version. The statements that do not cover it are left out once, because there may
 * be a thousand of them and as many segments.
 */
function judgeSegments({ component, partner, segments }: PartnerPair, version: Version) {
  const { component: name } = partner;
  const worksWith = selectCovering(component.worksWith, name, version);
  return segments.map(({ releases, statedBy }) => {
    const release = { component: name, version: releases[0].text };
    const statements = { component: component.component, worksWith, statedBy };
    return { releases, ...judgePair(statements, version.text, release) };
  });
}

/** The greatest release without a statement, below all that are stated not to work: `Companion.newer`. */
function findNewer(judgedSegments: ReturnType<typeof judgeSegments>): Version | undefined {
  let newer: Version | undefined;
  for (const { releases, answer } of judgedSegments) {
    if (answer === 'bad') {
      break;
    }
    if (answer === 'not-stated') {
      newer = releases.at(-1);
    }
  }
  return newer;
}
