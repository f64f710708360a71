import type { Day } from '../../core/model/dates.ts';
import { hasEnded } from '../../core/model/phases.ts';
import { partnersOf, findStatements } from '../../core/model/pair-answers.ts';
import type { Plan, PlanStep } from '../../core/schemas/published/plan-answer.ts';
import { findRelease } from '../answers/find-release.ts';
import { conflictBetween, goodWith, type Position } from './pairs.ts';
import type { PlanInput } from './tracks.ts';

/** A version of a list, and where it is once the plan is done. */
export interface Outcome {
  readonly input: PlanInput;
  readonly step: PlanStep | undefined;
  readonly end: Position;
}

/** The position of each version of a list after the plan, in the order of the list. */
export function outcomesOf({ steps }: Plan, inputs: readonly PlanInput[]): Outcome[] {
  return inputs.map((input) => {
    const { answer, details, replacement } = input;
    const step = steps.find(
      ({ component, from }) => component === answer.component && from === answer.version,
    );
    const { component, version } = step?.goal ?? step?.to ?? answer;
    const isReplaced = component === replacement?.component;

    return { input, step, end: { details: isReplaced ? replacement : details, version } };
  });
}

/** `Server 2026.3` */
export function positionInWords({ details, version }: Position): string {
  return `${details.title} ${version}`;
}

/** The other versions of a plan that are stated to work with one, and those of which nothing is stated. */
export function pairResultsOf(
  { end }: Outcome,
  others: readonly Outcome[],
): { readonly good: readonly Position[]; readonly unstated: readonly Position[] } {
  const good: Position[] = [];
  const unstated: Position[] = [];

  for (const position of partnersAmong(end, others)) {
    const pair = { component: position.details.component, version: position.version };
    const { answer } = findStatements(end.details, end.version, pair);

    if (answer === 'good') {
      good.push(position);
    } else if (answer === 'not-stated') {
      unstated.push(position);
    }
  }

  return { good, unstated };
}

/** The greatest release of a component that is stated to work with others of the plan, and with all of which anything is stated. */
export function greatestTogether({ end }: Outcome, others: readonly Outcome[]): string | undefined {
  const partners = partnersAmong(end, others);
  const good = partners.map((position) => new Set(goodWith(end.details, position)));

  const isStatedGood = ({ version }: { version: string }) =>
    good.some((versions) => versions.has(version)) &&
    partners.every(
      (position, place) =>
        good[place]!.has(version) || !conflictBetween({ ...end, version }, position),
    );

  return end.details.releases.findLast(isStatedGood)?.version;
}

/** The other versions with a statement about both components. */
export function partnersAmong(position: Position, others: readonly Outcome[]): Position[] {
  const partners = new Set(partnersOf(position.details));

  return others
    .map(({ end }) => end)
    .filter(({ details }) => details !== position.details && partners.has(details.component));
}

/** The version whose support ends next, once the plan is done. */
export function nextEndOf(
  outcomes: readonly Pick<Outcome, 'end'>[],
  asOf: Day,
): { readonly day: Day; readonly position: Position } | undefined {
  let next: { day: Day; position: Position } | undefined;

  for (const { end: position } of outcomes) {
    const { details, version } = position;
    const release = findRelease(details.releases, version);
    const day = details.lines.find(({ line }) => line === release?.line)?.supportedUntil;

    if (day !== undefined && !hasEnded({ until: day }, asOf) && (!next || day < next.day)) {
      next = { day, position };
    }
  }

  return next;
}
