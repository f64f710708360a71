import type { Day } from '../dates.ts';
import type { SupportPolicy } from '../model/definition.ts';
import { sentence } from '../text.ts';
import type { ChangeEvent } from './change.ts';
import { describePolicy } from './describe-policy.ts';
import type { ReleasePast } from './past.ts';
import type { PastVerdict } from './past-verdicts.ts';
import type { LineVerdict } from './past-line.ts';

/** A line that leaves support, or is supported again, is one change, whatever the number of its releases. */
export function* lineEvents(
  name: string,
  releases: readonly ReleasePast[],
  verdicts: readonly LineVerdict[],
  policy: SupportPolicy,
  verdictOn: PastVerdict,
): Generator<ChangeEvent> {
  // The first verdict is the one that the line came with.
  for (const { on, reason } of verdicts.slice(1)) {
    const there = releases.filter((past) => past.enteredOn < on);
    if (reason) yield* event('deprecated', on, name, there, reason.text);
    else {
      const free = there.filter((past) => verdictOn(past, on).length === 0);
      yield* event('supported', on, name, free, describePolicy(policy));
    }
  }
}

function* event(
  kind: 'deprecated' | 'supported',
  on: Day,
  line: string,
  of: readonly ReleasePast[],
  reason: string,
): Generator<ChangeEvent> {
  if (of.length === 0) return;
  const versions = of.map(({ release }) => release.version);
  const names = versions.length > 5 ? `${versions.length} releases` : versions.join(', ');
  const what = kind === 'deprecated' ? 'left support' : 'is supported again';
  const text = `Release line ${line} ${what}${names === line ? '' : ` (${names})`}: ${sentence(reason)}`;
  yield { kind, on, line, versions, text, rule: 'support policy', reason };
}
