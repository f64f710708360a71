import { findEarliestDay } from '../core/model/dates.ts';
import { isCatalogueId, removeAddress } from '../core/schemas/definition/source.ts';
import { formatCount, endSentence } from '../core/text/wording.ts';
import { isEdit, type ComponentFreshness, type Trouble } from './component-freshness.ts';

const allAnswered = 'Every source answered at the last check.';

/** Explains the state of a component's data. The text changes only when the data does. */
export function explainFreshness(freshness: ComponentFreshness): string {
  const { state, troubles } = freshness;
  if (state === 'static') {
    return 'Maintained by hand.';
  }
  if (state === 'live') {
    return allAnswered;
  }
  if (troubles.some(({ source }) => isEdit(source))) {
    return 'On hold: an unusual edit of its definition awaits review.';
  }

  return state === 'held'
    ? 'On hold: an unusual change upstream awaits review.'
    : explainStale(freshness);
}

function explainStale({ troubles, checkedOn }: ComponentFreshness): string {
  if (troubles.length === 0) {
    return `Last checked on ${checkedOn}. Releases since then may be missing.`;
  }
  if (troubles.every(({ failures }) => failures === 0)) {
    return 'Not checked yet.';
  }

  const problem = `The last check failed (${formatCount(troubles.length, 'source')}).`;
  const answerDays = troubles.map(({ lastAnswered }) => lastAnswered);
  return answerDays.includes(undefined)
    ? problem
    : `${problem} Shown: the releases known on ${findEarliestDay(...answerDays)}.`;
}

/** The freshness of all components. */
export function summariseFreshness(freshnesses: readonly ComponentFreshness[]): string {
  const { stale = [], held = [] } = Object.groupBy(freshnesses, ({ state }) => state);
  if (stale.length === 0 && held.length === 0) {
    return allAnswered;
  }

  const size = formatCount(freshnesses.length, 'component');
  const { failed = [], unasked = [], unadvised = [] } = Object.groupBy(stale, findStaleCause);
  const sentences = [
    failed.length > 0 && `${failed.length} of ${size} could not be checked.`,
    unasked.length > 0 && `${unasked.length} of ${size} not checked yet.`,
    unadvised.length > 0 &&
      `Advisories of ${formatCount(unadvised.length, 'component')} could not be checked.`,
    held.length > 0 && `${held.length} of ${size} await${held.length === 1 ? 's' : ''} review.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

/** Only its advisories were not checked, or its sources were not asked yet; else checking its releases failed. */
function findStaleCause({ troubles }: ComponentFreshness): 'failed' | 'unasked' | 'unadvised' {
  if (troubles.length === 0) {
    return 'failed';
  }

  const releaseTroubles = troubles.filter(
    ({ source }) => source !== 'osv' && !isCatalogueId(source),
  );
  if (releaseTroubles.length === 0) {
    return 'unadvised';
  }

  return releaseTroubles.every(({ failures }) => failures === 0) ? 'unasked' : 'failed';
}

/** Describes the problem of a source in full. */
export function describeTrouble(trouble: Trouble): string {
  const { source, kind, reason, heldSince, lastAnswered } = trouble;
  const problem = endSentence(`${removeAddress(source)}: ${reason}`);
  if (kind === 'held') {
    return `${problem} ${isEdit(source) ? 'It' : 'Its answer'} has waited for review since ${heldSince ?? 'an unknown day'}.`;
  }

  return lastAnswered === undefined ? problem : `${problem} It last answered on ${lastAnswered}.`;
}

/** The command that accepts a held change. */
export function acceptCommand({ id = '<id>' }: Pick<Trouble, 'id'>): string {
  return `npx release-index accept ${id}`;
}
