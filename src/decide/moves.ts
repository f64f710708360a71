import type { Day } from '../core/model/dates.ts';
import {
  findGreatestCandidate,
  createAdviser,
  findLineInUse,
  type Movable,
  type UpgradeAdvice,
  type MoveTarget,
} from '../core/model/move-to.ts';
import { findLastFreePhase } from '../core/model/phases.ts';
import { computeStates, computeSupportOn, isInForceOn } from '../core/model/states.ts';
import { compareVersions } from '../core/model/version.ts';
import type { Judged, JudgedLine, Reasoned } from './judge.ts';

/** A component, and the component that replaces it. */
interface Subject extends Omit<Judged, 'unadmitted'> {
  readonly replacement?: Subject | undefined;
}

/** The parts of a component from which its upgrade targets are chosen, on the day of its judgement. */
function createMovable({ name, definition, judgement }: Subject): Movable {
  const { day, lines, releases } = judgement;
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

/** A function that advises on versions of a component, on the day of its judgement. */
function createComponentAdviser(component: Subject) {
  const { replacement } = component;
  return createAdviser(createMovable(component), replacement && createMovable(replacement));
}

/** The advice for the newest release of each line, by the rule that answers use, too (`createAdviser`). */
export function listLineMoves(component: Subject): Map<JudgedLine, UpgradeAdvice> {
  const moveFrom = createComponentAdviser(component);
  return new Map(
    component.judgement.lines.map((line) => [
      line,
      moveFrom(findLineInUse(line.name, line.releases)),
    ]),
  );
}

/** The advice for the newest release of a line on another day. */
export function findLineMoveOn(component: Subject, line: JudgedLine, day: Day): UpgradeAdvice {
  const subject = judgeOn(component, day, line);
  const lineOn = subject.judgement.lines.find(({ name }) => name === line.name)!;
  return createComponentAdviser(subject)(findLineInUse(lineOn.name, lineOn.releases));
}

/** A component and its replacement on another day, with the lines that matter to advice. `from`: the line to move off. */
function judgeOn(subject: Subject, day: Day, from?: JudgedLine): Subject {
  const { definition, judgement, replacement } = subject;
  // A stop may be a release of any line.
  const lines = definition.upgradeStops
    ? judgement.lines
    : listLinesToMoveTo(judgement.lines, day, from);
  return {
    ...subject,
    judgement: { ...judgement, ...computeStates<JudgedLine, Reasoned>(lines, day) },
    replacement: replacement && judgeOn(replacement, day),
  };
}

/**
 * The line to move off, and the lines with a release that is not below a safe target. Advice never leads to the other lines. Judging
 * all of them for each end of 1,000 lines took 20 s.
 */
function listLinesToMoveTo(
  lines: readonly JudgedLine[],
  day: Day,
  from: JudgedLine | undefined,
): readonly JudgedLine[] {
  const target = lines.findLast((line) => isSafeTarget(line, day))?.releases.at(-1);
  if (!target) {
    return lines;
  }

  return lines.filter((line) => {
    const greatest = line.releases.at(-1);
    return line === from || (greatest && compareVersions(greatest.parsed, target.parsed) >= 0);
  });
}

/** Whether nothing is a reason to move off the greatest release of a line on a day. */
function isSafeTarget(line: JudgedLine, day: Day): boolean {
  const greatest = line.releases.at(-1);
  if (!greatest || (line.reason && isInForceOn(line.reason, day))) {
    return false;
  }

  const { isPrerelease, reasons, isVulnerable } = greatest;
  const { state } = computeSupportOn(line, day);
  const isInSupport = state === 'supported' || state === 'no-promise';
  return isInSupport && !isPrerelease && !isVulnerable && reasons.length === 0;
}

/** The advice for the latest version of a component. */
export function findLatestMove(component: Subject): UpgradeAdvice {
  const { latest } = component.judgement;
  return latest
    ? createComponentAdviser(component)({ version: latest.version, release: latest })
    : {};
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

/** The release that users of a replaced component move to: the greatest without a reason to move off it, else the latest. */
export function findSuccessor(replacement: Subject): string | undefined {
  return findGreatestCandidate(createMovable(replacement))?.version;
}

/** At most one sentence, which names the replacing component. */
export function describeReplacement({ definition, replacement }: Subject): string[] {
  if (definition.replacedBy === undefined) {
    return [];
  }

  const title = replacement?.definition.title ?? definition.replacedBy;
  const { latest } = replacement?.judgement ?? {};
  const latestText = latest ? `, whose latest version is ${latest.version}` : '';
  return [`Replaced by ${title}${latestText}.`];
}
