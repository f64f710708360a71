import { isLineSupported, type JudgedRelease, type Judgement } from '../policy/judge.ts';
import type { Reason } from '../policy/reason.ts';
import { sentence } from '../text.ts';

/** Why a release is deprecated, or what will happen to one that may still be used, in sentences. */
export function verdictSentences({ reasons, upcoming }: JudgedRelease): string {
  return reasons.length > 0 ? reasons.map(reasonSentence).join(' ') : outlook(upcoming[0]);
}

/** The day is left out where the text has just said it. */
function reasonSentence({ text, from }: Reason): string {
  const words = sentence(text);
  if (from === undefined) return `${words} Since when is not stated.`;
  return words.endsWith(` ${from}.`) ? words : `${words} Since ${from}.`;
}

function outlook(next: Reason | undefined): string {
  if (!next) return 'No end stated.';
  if (next.rule === 'support policy') return `Leaves support on ${next.from}.`;
  return `Deprecated from ${next.from} on: ${sentence(next.text)}`;
}

/** Why a component has no latest version, in a sentence. */
export function whyNoLatest({ lines, releases }: Judgement): string {
  const newest = releases.at(-1);
  if (!newest) return 'No release of it is known yet.';
  if (lines.some(isLineSupported)) return 'Only prereleases of it are supported.';
  const [reason] = newest.reasons;
  return reason
    ? `No release of it is supported: ${sentence(reason.text)}`
    : 'No release of it is supported.';
}
