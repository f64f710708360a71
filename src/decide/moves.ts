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
import { resolveStops } from '../core/model/upgrade-stops.ts';
import { compareVersions } from '../core/model/version.ts';
import type { Judged, JudgedLine, JudgedRelease, Reasoned } from './judge.ts';

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

/** Makes an adviser on the newest release of each line, by the rule that answers use, too (`createAdviser`). */
export function adviseOnLines(component: Subject): (line: JudgedLine) => UpgradeAdvice {
  const advise = createComponentAdviser(component);
  return ({ name, releases }) => advise(findLineInUse(name, releases));
}

/** Advises on the newest release of a line on another day. */
export type LineAdviser = (line: JudgedLine, day: Day) => UpgradeAdvice;

/** Makes an adviser for the days on which support of a component's lines ends, of which each line may have another. */
export function createLineAdviser(component: Subject): LineAdviser {
  const { definition, judgement, replacement } = component;
  const { upgradeStops } = definition;
  const stopReleases = listStopReleases(component);
  const releases = [...judgement.releases, ...(replacement?.judgement.releases ?? [])];
  const areAllAffected = releases.every(({ isVulnerable }) => isVulnerable);
  const isSafe = (release: Reasoned) => areAllAffected || !release.isVulnerable;

  return (line, day) => {
    const subject = judgeOn(component, day, isSafe, line);
    const advise = createAdviser(
      createMovable(subject),
      replacement && createMovable(judgeOn(replacement, day, isSafe)),
      resolveStops({ upgradeStops, releases: stopReleases, day }),
    );
    const lineOn = subject.judgement.lines.find(({ name }) => name === line.name)!;
    return advise(findLineInUse(lineOn.name, lineOn.releases));
  };
}

/** The releases at which the stops of a component are on any day: the greatest that stay, and those that are withdrawn on some day. */
function listStopReleases({ definition, judgement }: Subject): JudgedRelease[] {
  const { releases, day } = judgement;
  const lasting = releases.filter(({ withdrawnSince }) => withdrawnSince === undefined);
  const { upgradeStops } = definition;
  const stops = resolveStops({ upgradeStops, releases: lasting, day });
  const greatest = new Set(stops.map(({ release }) => release));
  return releases.filter(
    (release) => release.withdrawnSince !== undefined || greatest.has(release),
  );
}

/** A component on another day, with the lines that matter to advice. `from`: the line to move off. */
function judgeOn(
  subject: Subject,
  day: Day,
  isSafe: (release: Reasoned) => boolean,
  from?: JudgedLine,
): Subject {
  const { judgement } = subject;
  const lines = listLinesToMoveTo(judgement.lines, day, isSafe, from);
  return {
    ...subject,
    judgement: { ...judgement, ...computeStates<JudgedLine, Reasoned>(lines, day) },
  };
}

/**
 * The line to move off, and the lines with a usable release that is not below a target which nothing is a reason to move off. Advice
 * never leads to the other lines. Judging all of them for each end of 1,000 lines took 20 s.
 */
function listLinesToMoveTo(
  lines: readonly JudgedLine[],
  day: Day,
  isSafe: (release: Reasoned) => boolean,
  from: JudgedLine | undefined,
): readonly JudgedLine[] {
  const target = findSafeTarget(lines, day, isSafe);
  return lines.filter((line) => {
    const greatest = line.releases.at(-1);
    const isAbove = greatest && (!target || compareVersions(greatest.parsed, target.parsed) >= 0);
    return line === from || (isAbove && findUsable(line, day));
  });
}

/** A release that nothing is a reason to move off on a day: the greatest usable one of its line. */
function findSafeTarget(
  lines: readonly JudgedLine[],
  day: Day,
  isSafe: (release: Reasoned) => boolean,
): JudgedRelease | undefined {
  for (const line of lines.toReversed()) {
    const release = findUsable(line, day);
    const { state } = computeSupportOn(line, day);
    if (release && isSafe(release) && (state === 'supported' || state === 'no-promise')) {
      return release;
    }
  }
  return undefined;
}

/** The greatest release of a line that is stable and not deprecated on a day. */
function findUsable({ reason, releases }: JudgedLine, day: Day): JudgedRelease | undefined {
  return reason && isInForceOn(reason, day)
    ? undefined
    : releases.findLast(
        ({ isPrerelease, reasons }) =>
          !isPrerelease && !reasons.some((each) => isInForceOn(each, day)),
      );
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
