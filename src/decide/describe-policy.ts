import type { Day } from '../core/dates.ts';
import type { SupportPolicy } from '../core/schemas/definition.ts';
import { countedInWords } from '../core/text.ts';

/** The support policy of a component in one sentence, as of a day. */
export function describePolicy(policy: SupportPolicy = { policy: 'none' }, day: Day): string {
  switch (policy.policy) {
    case 'none':
      return 'There is no support policy: releases are listed, and the end of their support is unknown.';
    case 'ended':
      return describeEnd(policy, day);
    case 'term':
      return `A release line is supported for ${countedInWords(policy.months, 'month')} from its first release.`;
    case 'latest-lines':
      return policy.count === 1
        ? 'Only the newest release line is supported.'
        : `The newest ${policy.count} release lines are supported.`;
    case 'dated':
      return 'Each release line leaves support on a stated day.';
  }
}

function describeEnd(
  { since, deprecatedFrom }: Extract<SupportPolicy, { policy: 'ended' }>,
  day: Day,
): string {
  const end = since ?? deprecatedFrom;
  if (end === undefined) return 'Support of this component has ended.';
  if (end <= day) return `Support of this component ended on ${end}.`;
  if (deprecatedFrom === undefined) return `Every release is deprecated; support ends on ${end}.`;
  if (deprecatedFrom === end) return `Support of this component ends on ${end}.`;
  const deprecation = deprecatedFrom <= day ? 'has been deprecated since' : 'will be deprecated on';
  return `Every release ${deprecation} ${deprecatedFrom}; support ends on ${end}.`;
}
