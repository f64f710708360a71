import { dropUndefined } from '../../core/model/objects.ts';
import type { PlanConflict, Resolution } from '../../core/schemas/published/plan-answer.ts';
import {
  findOlderGoodWith,
  formatName,
  isBelow,
  listFittingWith,
  type Conflict,
  type Position,
} from './pairs.ts';
import { describeNeed, describeObstacle } from './plan-words.ts';
import type { Track } from './tracks.ts';

/** The versions of a conflict, the statement behind it as a sentence, and its source. */
export function describePair(conflict: Conflict) {
  const { one, other, statement } = conflict;
  return dropUndefined({
    between: [formatName(one), formatName(other)],
    text: describeNeed(conflict),
    url: statement.statement.url,
  });
}

/** The conflicts that moves would make, which are therefore no steps. */
export function listObstacles(tracks: readonly Track[]): PlanConflict[] {
  const conflicts: PlanConflict[] = [];
  for (const { input, obstacles = [] } of tracks) {
    for (const { indexes, conflict } of obstacles) {
      const planConflict = describeConflict(conflict);
      conflicts.push({
        ...planConflict,
        // The indexes are those of the tracks.
        between: indexes.map((index) => formatName(tracks[index]!.end)),
        text: describeObstacle(input, planConflict.text),
      });
    }
  }

  return conflicts;
}

/** A conflict that no step resolves, and the two ways out of it. */
export function describeConflict(conflict: Conflict): PlanConflict {
  return { ...describePair(conflict), ways: listResolutions(conflict) };
}

/** One version goes up, and until then the other may go down; else one goes down and the other is replaced; else both are replaced. */
function listResolutions({ one, other }: Conflict): Resolution[] {
  const pairs = [
    [one, other],
    [other, one],
  ] as const;

  for (const [subject, object] of pairs) {
    const { details, version } = subject;
    const atLeast = [...listFittingWith(details, object)].find((each) => isBelow(version, each));
    if (atLeast !== undefined) {
      return [{ component: details.component, atLeast }, ...listDowngrades(object, subject)];
    }
  }
  for (const [subject, object] of pairs) {
    const downgrades = listDowngrades(object, subject);
    if (downgrades.length > 0) {
      return [replace(subject), ...downgrades];
    }
  }

  return [replace(one), replace(other)];
}

function replace({ details }: Position): Resolution {
  return { component: details.component, replace: true };
}

/** To the greatest older release that is stated to work with the other version; empty if there is none. */
function listDowngrades(position: Position, other: Position): Resolution[] {
  const until = findOlderGoodWith(position, other);
  return until === undefined ? [] : [{ component: position.details.component, until }];
}
