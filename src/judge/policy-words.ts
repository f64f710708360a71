/** Describes support policies in sentences. */
import type { SupportPolicy } from '../core/schema/policy.ts';
import { formatCount } from '../core/text.ts';

/** Describes a support policy in a sentence, for `details/` and pages. */
export function describePolicy(policy: SupportPolicy): string {
  const { until } = policy;
  const day = typeof until === 'object' ? until.until : until;
  const last = `No release is supported after ${day}.`;
  if (policy.policy === 'ended') {
    return day === undefined ? 'Support has ended.' : last;
  }
  if (day === undefined) {
    return describeRule(policy);
  }
  return policy.policy === 'none' ? last : `${describeRule(policy)} ${last}`;
}

function describeRule(policy: Exclude<SupportPolicy, { policy: 'ended' }>): string {
  switch (policy.policy) {
    case 'none':
      return 'No end of support is stated.';
    case 'term': {
      if (policy.phases) {
        const phases = policy.phases.map(({ name, months }) => `${name} ${months}`);
        return `The phases of a release line, in months from its first release: ${phases.join(', ')}.`;
      }

      // The schema requires `months` or `phases` here, and `count` or `phases` below.
      return `A release line is supported for ${formatCount(policy.months!, 'month')} from its first release.`;
    }
    case 'latest-lines': {
      if (policy.phases) {
        const phases = policy.phases.map(({ name, count }) => `${name} ${count}`);
        return `The phases of the newest release lines: ${phases.join(', ')}.`;
      }

      const count = policy.count!;
      const verb = count === 1 ? 'is' : 'are';
      return `The ${countNewest(count)} ${verb} supported${describeGrace(policy.months)}.`;
    }
    case 'dated':
      return 'The support of each release line ends on a listed date.';
    case 'stated':
      return `The support of each release line ends on the date that ${nameOrigin(policy)} gives.`;
  }
}

/** Returns `newest release line` or `2 newest release lines`. */
export function countNewest(count: number): string {
  const noun = 'newest release line';
  return count === 1 ? noun : formatCount(count, noun);
}

/** Describes how long a line stays supported after it is no longer one of the newest. */
export function describeGrace(months = 0): string {
  return months === 0 ? '' : `, and older ones for ${formatCount(months, 'month')}`;
}

const endoflifeUrl = 'https://endoflife.date';

/** Adds where a fact comes from: `18 months …, according to example.com`. If no page publishes the rule: `Estimated: 18 months …` */
export function addOrigin(fact: string, policy: SupportPolicy): string {
  return policy.inferred === undefined
    ? `${fact}, according to ${nameOrigin(policy)}`
    : `Estimated: ${fact.charAt(0).toLowerCase()}${fact.slice(1)}`;
}

function nameOrigin(policy: SupportPolicy): string {
  if (policy.policy !== 'stated') {
    return nameSource(policy.url);
  }

  const { source } = policy;
  return nameSource('url' in source ? source.url : (source.registryUrl ?? endoflifeUrl));
}

/** Returns `example.com` or `the definition`. */
export function nameSource(url: string | undefined): string {
  return url === undefined ? 'the definition' : new URL(url).host;
}
