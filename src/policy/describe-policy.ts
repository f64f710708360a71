import type { SupportPolicy } from '../model/definition.ts';
import { countedInWords } from '../text.ts';

/** The support policy of a component in one sentence. */
export function describePolicy(policy: SupportPolicy = { policy: 'none' }): string {
  switch (policy.policy) {
    case 'none':
      return 'No release is deprecated by age.';
    case 'ended':
      return policy.since === undefined
        ? 'Support of this component has ended.'
        : `Every release is deprecated; support ends on ${policy.since}.`;
    case 'term':
      return `A release line is supported for ${countedInWords(policy.months, 'month')} from its first release.`;
    case 'latest-lines':
      return policy.count === 1
        ? 'Only the newest release line is supported.'
        : `The newest ${policy.count} release lines are supported.`;
    case 'dated':
      return 'Each release line is supported until a stated day.';
  }
}
