import type { Day } from '../core/model/dates.ts';
import {
  greatestCandidate,
  newestRelease,
  openMoves,
  type Movable,
  type Move,
  type MoveTarget,
} from '../core/model/move-to.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import { lastFreePhase } from '../core/model/phases.ts';
import { statesOn } from '../core/model/states.ts';
import type { JudgedLine, Judgement, Reasoned } from './judge.ts';

/** A component, and the component that replaces it. */
interface Moved {
  readonly name: string;
  readonly definition: Definition;
  readonly judgement: Judgement;
  readonly replacement?: Moved;
}

/** A component as the choice of a goal sees it on a day. */
function movableOn({ name, definition, judgement }: Moved, day: Day): Movable {
  const { lines, releases } =
    day === judgement.day
      ? judgement
      : statesOn<Reasoned, JudgedLine>(linesOfGoals(judgement.lines, definition), day);

  return {
    component: name,
    day,
    lines: lines.map((line) => ({
      line: line.name,
      state: line.state,
      supportedUntil: lastFreePhase(line.phases)?.until,
    })),
    releases: releases.map((release) => ({
      ...release,
      isVulnerable: release.advisories.length > 0,
    })),
    upgradeStops: definition.upgradeStops,
  };
}

/**
 * The lines with only the releases that can be a goal on any day: those from the greatest without a flaw of its own. The older
 * ones of its line are never better. A calendar asks for many days, and each state of a release costs time.
 */
function linesOfGoals(
  lines: readonly JudgedLine[],
  { upgradeStops }: Pick<Definition, 'upgradeStops'>,
): readonly JudgedLine[] {
  // Any release can be a stop.
  if (upgradeStops) {
    return lines;
  }

  return lines.map((line) => {
    const first = line.releases.findLastIndex(isFlawless);
    return first > 0 ? { ...line, releases: line.releases.slice(first) } : line;
  });
}

function isFlawless({ isPrerelease, withdrawnSince, reasons, advisories }: Reasoned): boolean {
  return (
    !isPrerelease && withdrawnSince === undefined && reasons.length === 0 && advisories.length === 0
  );
}

/** What to do about the newest release of a line on a day, by the same rule as every answer. */
export function openLineMoves(component: Moved, day: Day): (line: JudgedLine) => Move {
  const { replacement } = component;
  const movable = movableOn(component, day);
  const moveFrom = openMoves(movable, replacement && movableOn(replacement, day));

  return ({ name, releases }) =>
    moveFrom({
      version: newestRelease(releases)?.version ?? name,
      line: movable.lines.find(({ line }) => line === name),
    });
}

/** What to do about the latest version of a component on the day of its judgement. */
export function latestMove(component: Moved): Move {
  const { judgement, replacement } = component;
  const { day, latest } = judgement;

  if (!latest) {
    return {};
  }

  const movable = movableOn(component, day);
  const release = movable.releases.find(({ version }) => version === latest.version);

  return openMoves(
    movable,
    replacement && movableOn(replacement, day),
  )({ version: latest.version, release });
}

/** What to move to from each release on the day of its judgement, as `svc@2026.3`; a release without a goal is absent. */
export function moveTargets(component: Moved): ReadonlyMap<string, string> {
  const { judgement, replacement } = component;
  const { day } = judgement;
  const movable = movableOn(component, day);
  const moveFrom = openMoves(movable, replacement && movableOn(replacement, day));
  const targets = new Map<string, string>();

  for (const release of movable.releases) {
    const { moveTo } = moveFrom({ version: release.version, release });

    if (moveTo) {
      targets.set(release.version, `${moveTo.component}@${moveTo.version}`);
    }
  }

  return targets;
}

/** `2026.3`, or `Edge node 2.1.0` where it is a release of the replacement; empty without a goal. */
export function targetName({ name, replacement }: Moved, target: MoveTarget | undefined): string {
  if (!target || target.component === name) {
    return target?.version ?? '';
  }

  return `${replacement!.definition.title} ${target.version}`;
}

/** The release of a component to move to from one that it replaces: without a reason to move off it, else the latest. */
export function successorIn(replacement: Moved): string | undefined {
  const { day } = replacement.judgement;
  return greatestCandidate(movableOn(replacement, day))?.version;
}
