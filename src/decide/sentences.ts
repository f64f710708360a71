import { describeExploitation } from '../core/model/words.ts';
import type { Advisory } from '../core/schemas/recorded/recorded.ts';
import { formatList, endSentence } from '../core/text/wording.ts';
import type { Component } from './component.ts';
import { isLineSupported, type JudgedLine, type JudgedRelease, type Judgement } from './judge.ts';

/** A short description of an advisory: `exploited since 2026-11-03; high; fixed in 2026.2.1`. */
export function describeAdvisory({ severity, fixed, ...facts }: Advisory): string {
  const remedy = fixed ? `fixed in ${formatList(fixed, 3)}` : 'no fixed version is known';
  return [describeExploitation(facts), severity, remedy].filter(Boolean).join('; ');
}

/** Up to two sentences on the security of a release. */
export function describeSecurity({
  advisories,
  fixes,
}: Pick<JudgedRelease, 'advisories' | 'fixes'>): string[] {
  const affected = advisories.map((advisory) => `${advisory.id} (${describeAdvisory(advisory)})`);
  const fixed = fixes.map(({ id }) => id);
  const sentences = [
    affected.length > 0 ? `Vulnerable: ${formatList(affected, 3)}.` : '',
    fixed.length > 0 ? `Fixes ${formatList(fixed, 3)}.` : '',
  ];
  return sentences.filter(Boolean);
}

/** Why a component has no latest version. */
export function explainNoLatest({ lines, releases }: Judgement): string {
  const newest = releases.at(-1);
  if (!newest) {
    return lines.length === 0
      ? 'No release of it is known yet.'
      : 'No release is recorded yet, only the ends of its lines.';
  }

  if (releases.some(({ isDeprecated }) => !isDeprecated)) {
    return 'All its releases that are not deprecated are prereleases.';
  }

  const isOver = lines.every((line) => line.isSupported === false);
  const state = isOver ? 'No release of it is supported' : 'Every release of it is deprecated';
  const [reason] = newest.because;
  return reason ? `${state}: ${endSentence(reason.text)}` : `${state}.`;
}

/** Names the lines whose support ends when the next line appears; empty if there are none. */
export function describeEndWithNextLine(lines: readonly JudgedLine[]): string {
  const names = lines
    .filter((line) => isLineSupported(line) && line.undatedEnd !== undefined)
    .map(({ name }) => name);
  return names.length === 0
    ? ''
    : `Support of ${formatList(names, 3)} ends with the next release line.`;
}

/** At most one sentence, which names the replacing component. */
export function describeReplacement({ definition, replacement }: Component): string[] {
  if (definition.replacedBy === undefined) {
    return [];
  }

  const title = replacement?.definition.title ?? definition.replacedBy;
  const { latest } = replacement?.judgement ?? {};
  const latestText = latest ? `, whose latest version is ${latest.version}` : '';
  return [`Replaced by ${title}${latestText}.`];
}
