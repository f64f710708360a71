import type { Day } from '../dates.ts';
import { counted, defined, sentence } from '../text.ts';
import type { ChangeEvent } from './change.ts';
import type { ComponentPast, ReleasePast } from './past.ts';
import type { PastVerdict } from './past-verdicts.ts';

/** More releases than this that come on one day are one change. */
export const maxAdditionsOfDay = 20;

/**
 * What came into the index. The releases that a component enters with are one change, and so are many that come on one day
 * later; what had happened to them before is a part of it. A release recorded by hand, on no known day, is not told.
 */
export function* additionEvents(
  component: string,
  { releases, enteredOn }: ComponentPast,
  verdictOn: PastVerdict,
): Generator<ChangeEvent> {
  const gathered = releases.filter(({ release }) => release.recorded.firstSeen !== undefined);
  const byDay = Map.groupBy(gathered, (past) => past.enteredOn);
  for (const [on, of] of byDay) {
    if (on === enteredOn)
      yield additionOfMany(on, of, `${component} was added with ${counted(of.length, 'release')}`);
    else if (of.length > maxAdditionsOfDay) {
      yield additionOfMany(on, of, `${counted(of.length, 'release')} were added to the index`);
    } else for (const past of of) yield addition(past, verdictOn(past, on)[0]);
  }
}

function additionOfMany(on: Day, of: readonly ReleasePast[], what: string): ChangeEvent {
  const [first, last] = [of[0]!, of.at(-1)!].map(({ release }) => release.version) as [string, string];
  const range = first === last ? first : `from ${first} to ${last}`;
  return { kind: 'added', on, releases: of.length, first, last, text: `${what}: ${range}.` };
}

type Verdict = ReturnType<PastVerdict>[number] | undefined;

function addition({ release, enteredOn }: ReleasePast, verdict: Verdict): ChangeEvent {
  const { version, changelogUrl } = release;
  return defined({
    kind: 'added',
    on: enteredOn,
    version,
    text: verdict
      ? `${version} was added to the index and is deprecated: ${sentence(verdict.text)}`
      : `${version} was added to the index.`,
    rule: verdict?.rule,
    reason: verdict?.text,
    url: changelogUrl,
  } as const);
}
