import { removeAddress } from '../core/schemas/definition/source-ids.ts';
import { endSentence, formatCount } from '../core/text/wording.ts';
import type { ComponentFreshness, Trouble } from './component-freshness.ts';

const allAnswered = 'Every source answered at the last check.';

/** Explains the state on a day. */
export function explainFreshness(freshness: ComponentFreshness): string {
  switch (freshness.state) {
    case 'static':
      return 'Maintained by hand.';
    case 'live':
      return allAnswered;
    case 'held':
      return 'On hold: an unusual change awaits review.';
    case 'stale':
      return explainStale(freshness);
  }
}

function explainStale({ troubles, checkedOn }: ComponentFreshness): string {
  if (troubles.length === 0) {
    return `Last checked on ${checkedOn}. Releases since then may be missing.`;
  }
  // A source that was asked has failed at least once.
  if (troubles.every(({ failures }) => failures === 0)) {
    return 'Not checked yet.';
  }

  return `The last check failed (${formatCount(troubles.length, 'source')}).`;
}

/** Summarises the states of all components. */
export function summariseFreshness(freshnesses: readonly ComponentFreshness[]): string {
  const { stale = [], held = [] } = Object.groupBy(freshnesses, ({ state }) => state);
  if (stale.length === 0 && held.length === 0) {
    return allAnswered;
  }

  const size = formatCount(freshnesses.length, 'component');
  const sentences = [
    stale.length > 0 && `${stale.length} of ${size} may be out of date.`,
    held.length > 0 && `${held.length} of ${size} await${held.length === 1 ? 's' : ''} review.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

/** Describes the problem of a source in full. */
export function describeTrouble(trouble: Trouble): string {
  const { source, kind, reason, heldSince, lastAnswered } = trouble;
  const problem = endSentence(`${removeAddress(source)}: ${reason}`);
  if (kind === 'held') {
    return `${problem} Waits for review since ${heldSince ?? 'an unknown day'}.`;
  }

  return lastAnswered === undefined ? problem : `${problem} It last answered on ${lastAnswered}.`;
}

/** The command that accepts a held change. */
export function acceptCommand({ id = '<id>' }: Pick<Trouble, 'id'>): string {
  return `npx release-index accept ${id}`;
}
