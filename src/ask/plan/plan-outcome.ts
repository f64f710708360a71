import type { Day } from '../../core/model/dates.ts';
import { findStatements } from '../../core/model/pair-answers.ts';
import { hasEnded } from '../../core/model/phases.ts';
import type { Plan, PlanMove, PlanStep } from '../../core/schemas/published/plan-answer.ts';
import { findRelease } from '../answers/judge-version.ts';
import { writeCalendar, type CalendarEvent } from '../server/formats/write-calendar.ts';
import { describeTarget, findConflict, listGoodWith, type Position } from './pairs.ts';
import type { PlanInput } from './tracks.ts';

/** A version of a list, and where it is once the plan is done. */
export interface Outcome {
  readonly input: PlanInput;
  readonly step: PlanStep | undefined;
  readonly move: PlanMove | undefined;
  readonly end: Position;
}

/** The moves of a step: one, or several that are done together. */
export function listMoves(step: PlanStep): readonly PlanMove[] {
  return 'together' in step ? step.together : [step];
}

/** The position of each version of a list after the plan, in the order of the list. */
export function listOutcomes({ steps }: Plan, inputs: readonly PlanInput[]): Outcome[] {
  return inputs.map((input) => {
    const { answer, details, replacement } = input;
    const isMove = ({ component, from }: PlanMove) =>
      component === answer.component && from === answer.version;
    const step = steps.find((each) => listMoves(each).some(isMove));
    const move = step && listMoves(step).find(isMove);
    const { component, version } = move?.to ?? answer;
    const isReplaced = component === replacement?.component;
    return { input, step, move, end: { details: isReplaced ? replacement : details, version } };
  });
}

/** The positions of all versions of a list once some steps are done. */
export function computePositionsAfter(
  outcomes: readonly Outcome[],
  doneSteps: readonly PlanStep[],
): ReadonlyMap<Outcome, Position> {
  return new Map(
    outcomes.map((outcome) => {
      const { input, step, end } = outcome;
      const start = { details: input.details, version: input.answer.version };
      return [outcome, step && !doneSteps.includes(step) ? start : end];
    }),
  );
}

/** The other versions that are stated to work with one. */
export function listGoodAmong(position: Position, others: readonly Position[]): Position[] {
  return others.filter(({ details, version }) => {
    const pair = { component: details.component, version };
    return findStatements(position.details, position.version, pair).answer === 'good';
  });
}

/** The greatest release of a component that is stated to work with others of the plan, and with all of which anything is stated. */
export function findGreatestTogether(
  position: Position,
  others: readonly Position[],
): string | undefined {
  const good = others.map((other) => new Set(listGoodWith(position.details, other)));

  const isStatedGood = ({ version }: { version: string }) =>
    good.some((versions) => versions.has(version)) &&
    !others.some((other) => findConflict({ ...position, version }, other));

  return position.details.releases.findLast(isStatedGood)?.version;
}

/** The version whose support ends next, once the plan is done. */
export function findNextEnd(
  positions: readonly Position[],
  asOf: Day,
): { day: Day; position: Position } | undefined {
  let next: { day: Day; position: Position } | undefined;
  for (const position of positions) {
    const { details, version } = position;
    const release = findRelease(details.releases, version);
    const day = details.lines.find(({ line }) => line === release?.line)?.supportedUntil;
    if (day !== undefined && !hasEnded({ until: day }, asOf) && (!next || day < next.day)) {
      next = { day, position };
    }
  }
  return next;
}

/** A calendar with an event for each version with a known end of support. `baseUrl`: the address of the index, with a slash at its end. */
export function writePlanCalendar(
  { items }: Plan,
  outcomes: readonly Outcome[],
  baseUrl: string,
): string {
  const events: CalendarEvent[] = [];

  for (const [index, { input, step, move }] of outcomes.entries()) {
    const { answer, details } = input;
    const { component, title, version, supportedUntil, supportedUntilAtMost } = answer;
    const day = supportedUntil ?? supportedUntilAtMost;
    if (day === undefined) {
      continue;
    }

    const line = details.lines.find((each) => each.line === answer.line);
    const isRange = supportedUntil !== undefined && supportedUntilAtMost !== undefined;
    const url = `${baseUrl}${component}.html`;
    const advice = move ? `. Move to ${describeTarget(move.to, component)}` : '';

    events.push({
      uid: `${component}/${version}/mine@${new URL(baseUrl).hostname}`,
      stamp: line?.firstReleaseDate ?? line?.firstReleaseDateAtMost ?? day,
      day,
      summary: `${title} ${version}: support ${isRange ? 'may end' : 'ends'}${advice}`,
      // The items of a plan are in the order of its list.
      description: `${(step ?? items[index]!).text}\n${url}`,
      url,
    });
  }

  return writeCalendar(
    { title: 'My versions: ends of support', producer: 'Release index' },
    events,
  );
}
