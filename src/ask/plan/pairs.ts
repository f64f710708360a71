import type { MoveTarget } from '../../core/model/move-to.ts';
import { keepByObject } from '../../core/model/objects.ts';
import { judgePair, listStatementsOn, type PairStatement } from '../../core/model/pair-answers.ts';
import { compareToBound } from '../../core/model/version-range.ts';
import { parseVersion } from '../../core/model/version.ts';
import type { Resolution } from '../../core/schemas/published/plan-answer.ts';
import type { DetailsOn } from '../answers/component-on.ts';

/** A version of a component. */
export interface Position {
  readonly details: DetailsOn;
  readonly version: string;
}

export function toTarget({ details, version }: Position): MoveTarget {
  return { component: details.component, version };
}

/** `svc@2025.1` */
export function formatName({ details, version }: Position): string {
  return `${details.component}@${version}`;
}

/** `Server 2026.3` */
export function describePosition({ details, version }: Position): string {
  return `${details.title} ${version}`;
}

/** Whether a version is older than another of the same component. Every version of an answer can be parsed. */
export function isBelow(version: string, other: string): boolean {
  return compareToBound(parseVersion(version)!, parseVersion(other)!) < 0;
}

/** The statements about two versions, and the answer that follows from them. */
type PairJudgement = ReturnType<typeof judgePair>;

/** The judgements on the versions of a component, under keys such as `2025.1 edge-node 2.0.1`. Emptied at `maxJudgements`. */
const openJudgements = /* @__PURE__ */ keepByObject<DetailsOn, Map<string, PairJudgement>>(
  () => new Map(),
);
const maxJudgements = 50_000;

/** Judges two versions. Without the cache, a plan of 200 versions takes four times as long. */
function judge({ details, version }: Position, other: Position): PairJudgement {
  const partner = toTarget(other);
  const key = `${version} ${partner.component} ${partner.version}`;
  const judgements = openJudgements(details);
  const cached = judgements.get(key);
  if (cached) {
    return cached;
  }
  if (judgements.size >= maxJudgements) {
    judgements.clear();
  }

  const judgement = judgePair(details, version, partner);
  judgements.set(key, judgement);
  return judgement;
}

/** Whether two components state something about each other, other than on a feature, but nothing about these versions. */
export function isUncovered(one: Position, other: Position): boolean {
  const { worksWith, statedBy } = one.details;
  const statements = [worksWith, statedBy].flatMap((each) =>
    listStatementsOn(each, other.details.component),
  );
  return (
    statements.some(({ feature }) => feature === undefined) &&
    judge(one, other).answer === 'not-stated'
  );
}

/** Whether two versions are stated to work together. */
export function isGood(one: Position, other: Position): boolean {
  return judge(one, other).answer === 'good';
}

/** The statement by which two versions do not work together; undefined if none says so. */
export function findConflict(one: Position, other: Position): PairStatement | undefined {
  if (other.details.component === one.details.component) {
    return undefined;
  }

  return judge(one, other).statements.find(({ answer }) => answer === 'bad');
}

/** Two versions that are stated not to work together, in the order of their components. */
export interface Conflict {
  readonly one: Position;
  readonly other: Position;
  readonly statement: PairStatement;
}

/** The statements by which two versions of a conflict do work together: they disagree with its own. */
export function listContrary({ one, other }: Conflict): PairStatement[] {
  return judge(one, other).statements.filter(({ answer }) => answer === 'good');
}

/** Every pair that is stated not to work, each once. */
export function listConflicts(positions: readonly Position[]): Conflict[] {
  const conflicts = new Map<string, Conflict>();
  for (const one of positions) {
    for (const other of positions) {
      const isInOrder = one.details.component < other.details.component;
      const statement = isInOrder ? findConflict(one, other) : undefined;
      if (statement) {
        conflicts.set(`${formatName(one)} ${formatName(other)}`, { one, other, statement });
      }
    }
  }

  return [...conflicts.values()];
}

/** The stable releases of a component that are not withdrawn, oldest first. */
export function listStable({ releases }: DetailsOn) {
  return releases.filter(({ isPrerelease, state }) => !isPrerelease && state !== 'withdrawn');
}

/** The greatest release of a component that is stated to work with at least one of the others, and to conflict with none of them. */
export function findGreatestTogether(
  details: DetailsOn,
  others: readonly Position[],
): string | undefined {
  return listStable(details).findLast(
    ({ version }) =>
      others.some((other) => isGood({ details, version }, other)) &&
      !others.some((other) => findConflict({ details, version }, other)),
  )?.version;
}

/**
 * The releases that go with a version of another component: those stated to work with it, and newer ones without a statement,
 * up to the next that is stated not to work.
 */
export function listFittingWith(details: DetailsOn, other: Position): Set<string> {
  const fitting = new Set<string>();
  let isNewerThanGood = false;

  for (const { version } of listStable(details)) {
    const { answer } = judge({ details, version }, other);
    if (answer === 'good' || answer === 'bad') {
      isNewerThanGood = answer === 'good';
    }
    if (answer === 'good' || (answer === 'not-stated' && isNewerThanGood)) {
      fitting.add(version);
    }
  }

  return fitting;
}

/** The greatest older release of the component that is stated to work with the other version. */
function findOlderGoodWith(position: Position, other: Position): string | undefined {
  const { details } = position;
  return listStable(details).findLast(
    ({ version }) => isGood({ details, version }, other) && isBelow(version, position.version),
  )?.version;
}

/**
 * The greatest older release that is stated to work with the other version, for a newer release on which nothing is stated.
 */
export function findLastStatedWith(position: Position, other: Position): string | undefined {
  const { details, version } = position;
  const isUntested = isUncovered(position, other) && listFittingWith(details, other).has(version);
  return isUntested ? findOlderGoodWith(position, other) : undefined;
}

/** How to resolve a conflict: move one of the two up, or else replace one, or else both. */
export function listResolutions({ one, other }: Conflict): Resolution[] {
  const pairs = [
    [one, other],
    [other, one],
  ] as const;

  // One version goes up. Until then, the other may go down.
  for (const [subject, object] of pairs) {
    const { details, version } = subject;
    const atLeast = [...listFittingWith(details, object)].find((each) => isBelow(version, each));
    if (atLeast !== undefined) {
      const before = findNextBad(details, atLeast, object);
      const way = { component: details.component, atLeast, before };
      return [way, ...listDowngrades(object, subject)];
    }
  }

  // One version is replaced. Until then, the other goes down.
  for (const [subject, object] of pairs) {
    const downgrades = listDowngrades(object, subject);
    if (downgrades.length > 0) {
      return [replace(subject), ...downgrades];
    }
  }

  // Both are replaced.
  return [replace(one), replace(other)];
}

/** The least release above a version that is stated not to work with the other version. */
function findNextBad(details: DetailsOn, above: string, other: Position): string | undefined {
  return listStable(details).find(
    ({ version }) => judge({ details, version }, other).answer === 'bad' && isBelow(above, version),
  )?.version;
}

function replace({ details }: Position): Resolution {
  return { component: details.component, replace: true };
}

/** To the greatest older release that is stated to work with the other version; empty if there is none. */
function listDowngrades(position: Position, other: Position): Resolution[] {
  const until = findOlderGoodWith(position, other);
  return until === undefined ? [] : [{ component: position.details.component, until }];
}
