import { withoutAddress } from '../../core/schemas/source.ts';
import { counted, sentence } from '../../core/text.ts';
import type { ComponentFreshness, Trouble } from '../component-freshness.ts';

/** Why a component is live, stale, held or static. The text stays the same until something changes. */
export function freshnessSentence(freshness: ComponentFreshness): string {
  const { state, troubles } = freshness;
  if (state === 'static') return 'Nothing is asked: its releases are kept by hand.';
  if (troubles.length === 0) return 'Every source answered when it was last asked.';
  return `${briefFreshnessReason(freshness)}; what was recorded before holds.`;
}

/** The same of all components, in a sentence. */
export function freshnessOfAll(all: readonly ComponentFreshness[]): string {
  const { stale = [], held = [] } = Object.groupBy(all, ({ state }) => state);
  if (stale.length + held.length === 0) return 'Every source answered when it was last asked.';
  const parts = [
    stale.length === 0 ? [] : `a source of ${stale.length} did not answer or was not asked yet`,
    held.length === 0 ? [] : `an answer for ${held.length} waits for a person`,
  ].flat();
  return `Of ${counted(all.length, 'component')}, ${parts.join(', and ')}; what was recorded before holds.`;
}

/** What is wrong with a source, in full. */
export function troubleText({ source, kind, reason, heldSince, lastAnswered }: Trouble): string {
  const what = sentence(`${withoutAddress(source)}: ${reason}`);
  if (kind === 'held') {
    return `${what} Its answer has waited for a person since ${heldSince ?? 'an unknown day'}.`;
  }
  return lastAnswered === undefined ? what : `${what} It last answered on ${lastAnswered}.`;
}

/** The same in a few words; the page of the component has the reasons. */
function briefFreshnessReason({ state, troubles }: ComponentFreshness): string {
  if (state === 'static') return 'kept by hand';
  if (troubles.length === 0) return 'all sources answered';
  const held = troubles.filter(({ kind }) => kind === 'held').length;
  if (held > 0) return `${counted(held, 'answer')} ${held === 1 ? 'waits' : 'wait'} for a person`;
  const isNew = troubles.every(({ failures }) => failures === 0);
  return `${counted(troubles.length, 'source')} ${isNew ? 'not asked yet' : 'did not answer'}`;
}

/** What to run where an answer waits and upstream is right: arguments of the program. */
export function acceptArguments(component: string): string {
  return `gather ${component} --accept`;
}
