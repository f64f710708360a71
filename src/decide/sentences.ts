import { findEarliestDay } from '../core/model/dates.ts';
import { describeExploitation } from '../core/model/words.ts';
import { isCatalogueId, removeAddress } from '../core/schemas/definition/source.ts';
import type { Advisory } from '../core/schemas/recorded/recorded.ts';
import { formatCount, formatList, endSentence } from '../core/text/wording.ts';
import { isEdit, type ComponentFreshness, type Trouble } from './component-freshness.ts';
import type { Component } from './component.ts';
import {
  isLineOpen,
  isLineSupported,
  type JudgedLine,
  type JudgedRelease,
  type Judgement,
} from './judge.ts';

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

  if (lines.some(isLineOpen)) {
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

/** Explains the state of a component's data. The text changes only when the data does. */
export function explainFreshness({ state, troubles, checkedOn }: ComponentFreshness): string {
  if (state === 'static') {
    return 'Maintained by hand.';
  }
  if (state === 'live') {
    return 'Every source answered at the last check.';
  }
  if (troubles.some(({ source }) => isEdit(source))) {
    return 'On hold: an unusual edit of its definition awaits review.';
  }

  if (state === 'held') {
    return 'On hold: an unusual change upstream awaits review.';
  }
  if (troubles.length === 0) {
    return `Last checked on ${checkedOn}. Releases since then may be missing.`;
  }
  if (troubles.every(({ failures }) => failures === 0)) {
    return 'Not checked yet.';
  }

  const days = troubles.map(({ lastAnswered }) => lastAnswered);
  const problem = `The last check failed (${formatCount(troubles.length, 'source')}).`;
  return days.includes(undefined)
    ? problem
    : `${problem} Shown: the releases known on ${findEarliestDay(...days)}.`;
}

/** The freshness of all components. */
export function summariseFreshness(freshnesses: readonly ComponentFreshness[]): string {
  const { stale = [], held = [] } = Object.groupBy(freshnesses, ({ state }) => state);
  if (stale.length === 0 && held.length === 0) {
    return 'Every source answered at the last check.';
  }

  const size = formatCount(freshnesses.length, 'component');
  const { failed = [], unasked = [], unadvised = [] } = Object.groupBy(stale, findStaleCause);
  const count = formatCount(unadvised.length, 'component');
  const sentences = [
    failed.length > 0 && `${failed.length} of ${size} could not be checked.`,
    unasked.length > 0 && `${unasked.length} of ${size} not checked yet.`,
    unadvised.length > 0 && `Advisories of ${count} could not be checked.`,
    held.length > 0 && `${held.length} of ${size} await${held.length === 1 ? 's' : ''} review.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

function findStaleCause({ troubles }: ComponentFreshness): 'failed' | 'unasked' | 'unadvised' {
  const releaseTroubles = troubles.filter(
    ({ source }) => source !== 'osv' && !isCatalogueId(source),
  );
  if (releaseTroubles.length === 0 && troubles.length > 0) {
    return 'unadvised';
  }

  const isUnasked = troubles.length > 0 && releaseTroubles.every(({ failures }) => failures === 0);
  return isUnasked ? 'unasked' : 'failed';
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
