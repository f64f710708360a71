import type { ComponentFreshness, Trouble } from '../../model/component-freshness.ts';
import type { TimestampKind } from '../../model/recorded.ts';

export function counted(number: number, noun: string): string {
  return `${String(number).replace(/\B(?=(?:\d{3})+$)/g, ',')} ${noun}${number === 1 ? '' : 's'}`;
}

/** Whether the source of a release states its day. */
export function basisOf(kind: TimestampKind | undefined): string {
  return kind ?? 'not stated';
}

/** Why a component is live, stale, held or static; the same text for as long as nothing changes. */
export function freshnessReason({ state, troubles }: ComponentFreshness): string {
  if (state === 'static') return 'Nothing is asked: its releases are kept by hand.';
  if (troubles.length === 0) return 'Every source answered when it was last asked.';
  return troubles.map(troubleText).join(' ');
}

function troubleText({ source, kind, reason, heldSince, lastAnswered }: Trouble): string {
  const what = endSentence(`${source}: ${reason}`);
  if (kind === 'held') {
    return `${what} Its answer has waited for a person since ${heldSince ?? 'an unknown day'}; what was recorded before holds.`;
  }
  return lastAnswered === undefined
    ? what
    : `${what} It last answered on ${lastAnswered}; what was recorded holds.`;
}

/** The same in a few words. */
export function briefFreshnessReason({ state, troubles }: ComponentFreshness): string {
  if (state === 'static') return 'kept by hand';
  if (troubles.length === 0) return 'all sources answered';
  const [first, ...others] = troubles as [Trouble, ...Trouble[]];
  if (others.length === 0) return first.reason;
  const isSame = others.every(({ reason }) => reason === first.reason);
  return `${counted(troubles.length, 'source')}: ${isSame ? first.reason : `${first.reason}, and others`}`;
}

export function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
