import { isLineOpen, type JudgedRelease, type Judgement } from '../judge.ts';
import type { Reason } from '../reason.ts';
import { statusOf } from '../release-status.ts';
import { sentence } from '../../core/text.ts';

/** The verdict on a release in a few words, beside the policy that was said before. */
export function verdictInShort(release: JudgedRelease): string {
  const { isSupported, supportedUntil } = release;
  const status = statusOf(release);
  if (isSupported === false)
    return `${status}, support ended${supportedUntil === undefined ? '' : ` on ${supportedUntil}`}`;
  // Of a release that has reasons of its own to move off, the end of its line no longer matters.
  if (supportedUntil === undefined || release.reasons.some(isOwn)) return status;
  return status === 'supported'
    ? `supported until ${supportedUntil}`
    : `${status}, supported until ${supportedUntil}`;
}

/** Why a release, whatever the support policy says, is deprecated or will be, in sentences; empty where nothing is known. */
export function ownReasonSentences({ isDeprecated, reasons, upcoming }: JudgedRelease): string {
  const coming = isDeprecated ? [] : upcoming.filter(isOwn).slice(0, 1);
  return [...reasons.filter(isOwn).map(reasonSentence), ...coming.map(outlook)].join(' ');
}

function isOwn({ rule }: Reason): boolean {
  return rule !== 'support policy';
}

/** The day is left out where the text says it. */
function reasonSentence({ text, from }: Reason): string {
  const words = sentence(text);
  if (from === undefined) return `${words} Since when is not stated.`;
  return words.includes(from) ? words : `${words} Since ${from}.`;
}

function outlook({ from, text }: Reason): string {
  return `Deprecated from ${from} on: ${sentence(text)}`;
}

/** Why a component has no latest version, in a sentence. */
export function whyNoLatest({ lines, releases }: Judgement): string {
  const newest = releases.at(-1);
  if (!newest) return 'No release of it is known yet.';
  if (lines.some(isLineOpen)) return 'All its releases that are not deprecated are prereleases.';
  const isOver = lines.every((line) => line.isSupported === false);
  const verdict = isOver ? 'No release of it is supported' : 'Every release of it is deprecated';
  const [reason] = newest.reasons;
  return reason ? `${verdict}: ${sentence(reason.text)}` : `${verdict}.`;
}
