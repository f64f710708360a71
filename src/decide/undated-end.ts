import type { Day } from '../core/dates.ts';
import type { SupportPolicy } from '../core/schemas/definition.ts';
import { defined } from '../core/text.ts';
import type { ReleaseLine } from './lines.ts';
import type { Reason } from './reason.ts';
import { supportReasons } from './support.ts';

/** What is certain of the end of a supported line although nobody can name its day. */
export type UndatedEnd =
  | { readonly kind: 'next line' }
  /** The term runs from a day that nobody states. `notBefore`: ahead of the day judged, where it is known. */
  | { readonly kind: 'term'; readonly months: number; readonly notBefore?: Day };

/** For each release line, in the order given; `reasons` are those of `supportReasons`. */
export function undatedEnds(
  policy: SupportPolicy,
  lines: readonly ReleaseLine[],
  reasons: readonly (Reason | undefined)[],
  day: Day,
): (UndatedEnd | undefined)[] {
  if (policy.policy === 'latest-lines') {
    const then = supportReasons(policy, [...lines, oneMoreLine], day);
    return lines.map((_, index) => (!reasons[index] && then[index] ? { kind: 'next line' } : undefined));
  }
  if (policy.policy !== 'term') return lines.map(() => undefined);
  let notBefore: Day | undefined;
  return lines.map((line, index) => {
    const end = reasons[index]?.from;
    if (!reasons[index]) return defined({ kind: 'term', months: policy.months, notBefore } as const);
    // Lines begin in their order, so that a later one does not end before this one. A bound may be too late.
    if (end !== undefined && end > (notBefore ?? day) && line.firstReleaseKind === 'published')
      notBefore = end;
    return undefined;
  });
}

const oneMoreLine: ReleaseLine = { name: '', releases: [], isOpen: true };
