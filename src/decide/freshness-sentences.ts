import { findEarliestDay } from '../core/model/dates.ts';
import { removeAddress } from '../core/schemas/definition/source-ids.ts';
import { endSentence, formatCount } from '../core/text/wording.ts';
import type { ComponentFreshness, Trouble } from './component-freshness.ts';

const allAnswered = 'Every source answered at the last check.';

/** Explains the state on a day. */
export function explainFreshness(freshness: ComponentFreshness): string {
  const { state, troubles } = freshness;
  if (state === 'static') {
    return 'Maintained by hand.';
  }
  if (state === 'live') {
    return allAnswered;
  }
  if (troubles.some(({ source }) => isEditedFile(source))) {
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
  if (troubles.every(isNotAsked)) {
    return 'Not checked yet.';
  }

  const problem = `The last check failed (${formatCount(troubles.length, 'source')}).`;
  const answerDays = troubles.map(({ lastAnswered }) => lastAnswered);
  return answerDays.includes(undefined)
    ? problem
    : `${problem} Shown: the releases known on ${findEarliestDay(...answerDays)}.`;
}

/** Whether a source without an answer was never asked: `failures: 0`. Once asked, it has failed at least once. */
function isNotAsked({ failures }: Trouble): boolean {
  return failures === 0;
}

/** Summarises the states of all components. */
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

/**
 * Why a component is stale:
 *
 * - `unadvised`: only sources of advisories did not answer.
 * - `unasked`: its sources of releases and support without an answer were never asked.
 * - `failed`: one of these was asked and did not answer, or the last check is too old.
 */
function findStaleCause({ troubles }: ComponentFreshness): 'failed' | 'unasked' | 'unadvised' {
  if (troubles.length === 0) {
    return 'failed';
  }

  const releaseTroubles = troubles.filter(({ source }) => !/^(?:osv|exploited)\b/.test(source));
  if (releaseTroubles.length === 0) {
    return 'unadvised';
  }

  return releaseTroubles.every(isNotAsked) ? 'unasked' : 'failed';
}

/** Describes the problem of a source in full. */
export function describeTrouble(trouble: Trouble): string {
  const { source, kind, reason, heldSince, lastAnswered } = trouble;
  const problem = endSentence(`${removeAddress(source)}: ${reason}`);
  if (kind === 'held') {
    return `${problem} ${isEditedFile(source) ? 'It' : 'Its answer'} has waited for review since ${heldSince ?? 'an unknown day'}.`;
  }

  return lastAnswered === undefined ? problem : `${problem} It last answered on ${lastAnswered}.`;
}

/** Whether the source of a trouble is an edited file: an edit waits under the path of its file. */
export function isEditedFile(source: string): boolean {
  return /^(?:components|data|site)\//.test(source);
}

/** The command that accepts a held change. */
export function acceptCommand({ id = '<id>' }: Pick<Trouble, 'id'>): string {
  return `npx release-index accept ${id}`;
}
