import type { Day } from '../core/dates.ts';
import type { SupportPolicy } from '../core/schemas/definition.ts';
import { sentence } from '../core/text.ts';
import type { ChangeEvent } from './change.ts';
import { describePolicy } from './describe-policy.ts';
import type { LineVerdict } from './past-line.ts';
import { wasThere, type ReleasePast } from './past.ts';
import type { PastVerdict } from './past-verdicts.ts';
import { endOfSupport } from './support.ts';

/** A line that leaves support, or is supported again, is one change, whatever the number of its releases. */
export function* lineEvents(
  name: string,
  releases: readonly ReleasePast[],
  verdicts: readonly LineVerdict[],
  policy: SupportPolicy,
  verdictOn: PastVerdict,
): Generator<ChangeEvent> {
  const thereBefore = (day: Day) => releases.filter((past) => wasThere(past, day));
  const end = policy.policy === 'ended' ? endOfSupport(policy, undefined) : undefined;
  // The first verdict is the one that the line came with.
  const told = verdicts.slice(1);
  for (const { on, reason } of told) {
    if (reason) {
      const what = end !== undefined && on < end ? 'is deprecated' : 'left support';
      yield* event('deprecated', what, on, name, thereBefore(on), reason.text);
    } else {
      const free = thereBefore(on).filter((past) => verdictOn(past, on).length === 0);
      yield* event('supported', 'is supported again', on, name, free, describePolicy(policy, on));
    }
  }
  // Releases may be deprecated before the support of the component ends.
  if (policy.policy === 'ended' && end !== undefined && !told.some(({ on }) => on === end)) {
    const reason = policy.reason ?? describePolicy(policy, end);
    yield* event('deprecated', 'left support', end, name, thereBefore(end), reason);
  }
}

function* event(
  kind: 'deprecated' | 'supported',
  what: string,
  on: Day,
  line: string,
  of: readonly ReleasePast[],
  reason: string,
): Generator<ChangeEvent> {
  if (of.length === 0) return;
  const versions = of.map(({ release }) => release.version);
  const names = versions.length > 5 ? `${versions.length} releases` : versions.join(', ');
  const text = `Release line ${line} ${what}${names === line ? '' : ` (${names})`}: ${sentence(reason)}`;
  yield { kind, on, line, versions, text, rule: 'support policy', reason };
}
