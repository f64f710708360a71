import { dayOf, isDay, type Day } from '../dates.ts';
import type { Definition } from '../model/definition.ts';
import type { RecordedRelease } from '../model/recorded.ts';
import type { Judgement } from '../policy/judge.ts';

/**
 * The first day after `day` on which a component could show anything else although its files stay as they are: a release
 * dated ahead comes out, a verdict falls due, a change that was recorded ahead has happened. Undefined: never.
 * Rather too early than too late.
 */
export function holdsUntil(
  definition: Definition,
  recorded: readonly RecordedRelease[],
  judgement: Judgement,
): Day | undefined {
  const { day } = judgement;
  let first: Day | undefined;
  const consider = (candidate: Day | undefined) => {
    if (candidate !== undefined && candidate > day && (first === undefined || candidate < first))
      first = candidate;
  };
  for (const written of JSON.stringify(definition).match(/\d{4}-\d{2}-\d{2}/g) ?? []) {
    if (isDay(written)) consider(written);
  }
  recorded.forEach(({ releaseTimestamp, firstSeen, withdrawnSince, corrections }) => {
    // A timestamp is greater than its day: few are worth cutting.
    if (releaseTimestamp !== undefined && releaseTimestamp > day) consider(dayOf(releaseTimestamp));
    consider(firstSeen);
    consider(withdrawnSince);
    corrections?.forEach(({ on }) => consider(on));
  });
  for (const line of judgement.lines) consider(line.reason?.from);
  judgement.releases.forEach(({ upcoming }) => upcoming.forEach(({ from }) => consider(from)));
  return first;
}
