import type { Day } from '../core/model/dates.ts';
import {
  findGreatestCandidate,
  findNewestRelease,
  openMoves,
  type Movable,
  type UpgradeAdvice,
  type MoveTarget,
  type VersionInUse,
} from '../core/model/move-to.ts';
import { findLastFreePhase } from '../core/model/phases.ts';
import { isInForceOn, computeStates, computeSupportOn } from '../core/model/states.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import type { JudgedLine, Judgement, Reasoned } from './judge.ts';

/** A component, and the component that replaces it. */
interface Subject {
  readonly name: string;
  readonly definition: Definition;
  readonly judgement: Judgement;
  readonly replacement?: Subject;
}

/** A component as the choice of a goal sees it on the day of its states. */
function describeMovable(
  { name, definition }: Subject,
  { day, lines, releases }: JudgedOn,
): Movable {
  return {
    component: name,
    day,
    lines: lines.map((line) => ({
      line: line.name,
      state: line.state,
      supportedUntil: findLastFreePhase(line.phases)?.until,
    })),
    releases,
    upgradeStops: definition.upgradeStops,
  };
}

type JudgedOn = Pick<Judgement, 'day' | 'lines' | 'releases'>;

/** Opens the moves on the day of the judgement. */
function openPresentMoves(component: Subject) {
  const { judgement, replacement } = component;
  const movable = describeMovable(component, judgement);
  const successor = replacement && describeMovable(replacement, replacement.judgement);
  return { movable, moveFrom: openMoves(movable, successor) };
}

/** The advice for the newest release of each line, by the rule of every answer. */
export function listLineMoves(component: Subject): Map<JudgedLine, UpgradeAdvice> {
  const { movable, moveFrom } = openPresentMoves(component);
  return new Map(
    component.judgement.lines.map((line, index) => [
      line,
      moveFrom(findVersionInUse(line, movable.lines[index])),
    ]),
  );
}

/** The advice for the newest release of a line on another day. */
export function findLineMoveOn(component: Subject, line: JudgedLine, day: Day): UpgradeAdvice {
  const { replacement } = component;
  const movable = describeMovable(component, judgeGoalsOn(component, day, line.name));
  const successor = replacement && describeMovable(replacement, judgeGoalsOn(replacement, day));
  const lineOnDay = movable.lines.find((each) => each.line === line.name);
  return openMoves(movable, successor)(findVersionInUse(line, lineOnDay));
}

/** `line`: the same line on the day of the advice. */
function findVersionInUse(
  { name, releases }: JudgedLine,
  line: VersionInUse['line'],
): VersionInUse {
  return { version: findNewestRelease(releases)?.version ?? name, line };
}

/**
 * The states on a day of the releases that can be a goal. A calendar asks for the day of each end, so lines older than the greatest
 * supported one with a release without a flaw are left out, except the line in use (`name`): 280 ends of 3,700 lines take a fifth
 * of the time.
 */
function judgeGoalsOn({ judgement, definition }: Subject, day: Day, name?: string): JudgedOn {
  const { lines } = judgement;
  // Any release can be a stop.
  if (definition.upgradeStops) {
    return computeStates<Reasoned, JudgedLine>(lines, day);
  }

  const first = lines.findLastIndex((line) => hasGoalOn(line, day));
  const goalLines = lines.filter((line, index) => index >= first || line.name === name);
  return computeStates<Reasoned, JudgedLine>(goalLines, day);
}

function hasGoalOn(line: JudgedLine, day: Day): boolean {
  if (!line.releases.some(isFlawless) || (line.reason && isInForceOn(line.reason, day))) {
    return false;
  }

  const { state } = computeSupportOn(line, day);
  return state === 'supported' || state === 'no-promise';
}

/** A release that is withdrawn has a reason. */
function isFlawless({ isPrerelease, reasons, advisories }: Reasoned): boolean {
  return !isPrerelease && reasons.length === 0 && advisories.length === 0;
}

/** The advice for the latest version of a component. */
export function findLatestMove(component: Subject): UpgradeAdvice {
  const { latest } = component.judgement;
  if (!latest) {
    return {};
  }

  const { movable, moveFrom } = openPresentMoves(component);
  const release = movable.releases.find(({ version }) => version === latest.version);
  return moveFrom({ version: latest.version, release });
}

/** `2026.3`, or `Edge node 2.1.0` where it is a release of the replacement; empty without a goal. */
export function describeTarget(
  { name, replacement }: Subject,
  target: MoveTarget | undefined,
): string {
  if (!target || target.component === name) {
    return target?.version ?? '';
  }

  return `${replacement!.definition.title} ${target.version}`;
}

/** The release of a component to move to from one that it replaces: without a reason to move off it, else the latest. */
export function findSuccessor(replacement: Subject): string | undefined {
  return findGreatestCandidate(describeMovable(replacement, replacement.judgement))?.version;
}
