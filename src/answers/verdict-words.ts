import { isLineOpen, type JudgedRelease, type Judgement } from '../policy/judge.ts';
import type { Reason } from '../policy/reason.ts';
import { sentence } from '../text.ts';

/** Why a release is deprecated, or what will happen to one that may still be used, in sentences. */
export function verdictSentences(release: JudgedRelease): string {
  const { reasons, upcoming, isSupported, supportedUntil } = release;
  const [next] = upcoming;
  const sentences = reasons.map((reason) => reasonSentence(reason, isSupported));
  if (reasons.length === 0 && next && next.from !== supportedUntil) sentences.push(outlook(next));
  // Of a release that has reasons of its own to move off, the end of its line no longer matters.
  const isOfLine = reasons.every(({ rule }) => rule === 'support policy');
  const isSaid = supportedUntil !== undefined && sentences.at(-1)?.includes(supportedUntil);
  if (isSupported && isOfLine && supportedUntil !== undefined && !isSaid)
    sentences.push(`Leaves support on ${supportedUntil}.`);
  if (sentences.length > 0) return sentences.join(' ');
  return isSupported === undefined ? 'No support policy covers it.' : 'No end stated.';
}

/** The day is left out where the text says it. */
function reasonSentence({ rule, text, from }: Reason, isSupported: boolean | undefined): string {
  const words = sentence(text);
  if (from !== undefined) return words.includes(from) ? words : `${words} Since ${from}.`;
  // A policy that deprecates before support ends, without a day, does so from the beginning.
  return rule === 'support policy' && isSupported ? words : `${words} Since when is not stated.`;
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
