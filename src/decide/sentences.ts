import type { Advisory } from '../core/schemas/advisory.ts';
import { dayOf } from '../core/dates.ts';
import type { Provenance } from '../core/schemas/provenance.ts';
import { inPhase } from '../core/phases.ts';
import { withoutAddress } from '../core/schemas/source.ts';
import { counted, listed, sentence } from '../core/text.ts';
import type { Component } from './component.ts';
import { isHeldEdit, type ComponentFreshness, type Trouble } from './component-freshness.ts';
import { isLineOpen, isLineSupported, type JudgedLine, type JudgedRelease, type Judgement } from './judge.ts';
import type { Reason } from '../core/schemas/published/details-file.ts';

// Sentences about verdicts: `details/`, pages, commands and answers all print these. A reason is worded where it is decided,
// in `support.ts` and `judge.ts`.

/** `listed`: it may be used, but no support policy covers it. */
export type ReleaseStatus = 'supported' | 'listed' | 'deprecated' | 'withdrawn';
export type LineStatus = 'supported' | 'listed' | 'deprecated' | 'unsupported';

export function releaseStatus({ reasons, isDeprecated, isSupported }: JudgedRelease): ReleaseStatus {
  if (reasons.some((reason) => reason.rule === 'withdrawn')) return 'withdrawn';
  if (isDeprecated) return 'deprecated';
  return isSupported === undefined ? 'listed' : 'supported';
}

export function lineStatus(line: JudgedLine): LineStatus {
  if (line.isSupported === false) return 'unsupported';
  if (!isLineOpen(line)) return 'deprecated';
  return line.isSupported ? 'supported' : 'listed';
}

/** An advisory as far as it concerns readers of releases, in few words: `high; fixed in 2026.2.1`. */
export function advisoryWords({ severity, fixed }: Pick<Advisory, 'severity' | 'fixed'>): string {
  const remedy = fixed ? `fixed in ${listed(fixed, 3)}` : 'no fixed version is known';
  return severity === undefined ? remedy : `${severity}; ${remedy}`;
}

/** The security of a release in none, one or two sentences. */
export function securitySentences({
  advisories,
  fixes,
}: Pick<JudgedRelease, 'advisories' | 'fixes'>): string[] {
  const affected = advisories.map((advisory) => `${advisory.id} (${advisoryWords(advisory)})`);
  const fixed = fixes.map(({ id }) => id);
  return [
    ...(affected.length > 0 ? [`Vulnerable: ${listed(affected, 3)}.`] : []),
    ...(fixed.length > 0 ? [`Fixes ${listed(fixed, 3)}.`] : []),
  ];
}

/** The build of a release: `Built by GitHub Actions in example/agent at 1a2b3c4, 2026-03-03`. */
export function buildWords(provenance: Provenance): string {
  const { builder, repository, commit, startedOn, finishedOn = startedOn } = provenance;
  const at = commit === undefined ? '' : ` at ${commit.slice(0, 7)}`;
  const on = finishedOn === undefined ? '' : `, ${dayOf(finishedOn)}`;
  return `Built by ${builderName(builder)} in ${repositoryName(repository)}${at}${on}`;
}

/** A workflow by the service that runs it, as its file tells; else by its host. */
function builderName(builder: string): string {
  if (builder.includes('/.github/workflows/')) return 'GitHub Actions';
  if (/\/\/gitlab\.com\/|\.gitlab-ci\.ya?ml/.test(builder)) return 'GitLab CI/CD';
  return new URL(builder).hostname;
}

/** `example/agent`, where many know the host. */
export function repositoryName(repository: string): string {
  return repository
    .replace(/^https?:\/\/(?:(?:www\.)?(?:github|gitlab)\.com\/)?/, '')
    .replace(/\/$|\.git$/, '');
}

/** The support of a line in a few words. */
export function shortLineVerdict(line: JudgedLine): string {
  const status = lineStatus(line);
  const end = supportEnd(line);
  if (status === 'unsupported') return end;
  if (status === 'deprecated' && end !== '') return `deprecated, supported ${end}`;
  return `${status} ${end}`.trim();
}

/** When the support of a line ends or ended, and in which phase it is, in a few words; empty where nothing is announced. */
export function supportEnd(line: JudgedLine): string {
  return `${endInWords(line)}${inPhase(line.phase, line.eolFrom)}`.replace(/^, /, '');
}

/** When the support of a line ends or ended, in a few words; empty where nothing is announced. */
export function endInWords({ isSupported, eolFrom, eolKind, endsWithNextLine }: JudgedLine): string {
  if (isSupported === false)
    return eolFrom === undefined ? 'ended' : `ended ${eolKind ? 'by ' : ''}${eolFrom}`;
  if (endsWithNextLine) return 'until the next line';
  return eolFrom === undefined ? '' : `${eolKind ? 'at most ' : ''}until ${eolFrom}`;
}

/** Why a release is or will be deprecated apart from the support policy, in sentences; empty where nothing is known. */
export function ownReasonSentences({ isDeprecated, reasons, upcoming }: JudgedRelease): string {
  const next = isDeprecated ? [] : upcoming.filter(isOwn).slice(0, 1);
  return [
    ...reasons.filter(isOwn).map(({ text, from }) => {
      const words = sentence(text);
      // Some texts name the day.
      if (from !== undefined && words.includes(from)) return words;
      return `${words} Since ${from ?? 'an unknown day'}.`;
    }),
    ...next.map(({ from, text }) => `Deprecated from ${from} on: ${sentence(text)}`),
  ].join(' ');
}

function isOwn({ rule }: Reason): boolean {
  return rule !== 'support policy';
}

/** Why a component has no latest version. */
export function whyNoLatest({ lines, releases }: Judgement): string {
  const newest = releases.at(-1);
  if (!newest) return 'No release of it is known yet.';
  if (lines.some(isLineOpen)) return 'All its releases that are not deprecated are prereleases.';
  const isOver = lines.every((line) => line.isSupported === false);
  const verdict = isOver ? 'No release of it is supported' : 'Every release of it is deprecated';
  const [reason] = newest.reasons;
  return reason ? `${verdict}: ${sentence(reason.text)}` : `${verdict}.`;
}

/** The lines that leave support when the next one appears; empty where there is none. */
export function endWithNextLine(lines: readonly JudgedLine[]): string {
  const leaving = lines.filter((line) => isLineSupported(line) && line.endsWithNextLine);
  if (leaving.length === 0) return '';
  const names = leaving.map(({ name }) => name);
  return `${listed(names, 3)} ${names.length === 1 ? 'leaves' : 'leave'} support with the next release line.`;
}

/** The component to use instead, if there is one; none or one sentence. */
export function replacementSentence({ definition, replacement }: Component): string[] {
  if (definition.replacedBy === undefined) return [];
  const latest = replacement ? `, whose latest version is ${replacement.version}` : '';
  return [`Replaced by ${definition.replacedBy}${latest}.`];
}

/** Why a component is live, stale, held or static. The text stays the same until something changes. */
export function freshnessSentence({ state, troubles }: ComponentFreshness): string {
  if (state === 'static') return 'Maintained by hand.';
  if (state === 'live') return 'Every source answered at the last check.';
  if (troubles.some(isHeldEdit)) return 'On hold: an unusual edit of its definition awaits review.';
  if (state === 'held') return 'On hold: an unusual change upstream awaits review.';
  if (troubles.every(({ failures }) => failures === 0)) return 'Not checked yet.';
  const known = troubles.map(({ lastAnswered = '' }) => lastAnswered).sort()[0]!;
  const failed = `The last check failed (${counted(troubles.length, 'source')}).`;
  return known === '' ? failed : `${failed} Shown: the releases known on ${known}.`;
}

/** The freshness of all components. */
export function freshnessOfAll(all: readonly ComponentFreshness[]): string {
  const { stale = [], held = [] } = Object.groupBy(all, ({ state }) => state);
  if (stale.length + held.length === 0) return 'Every source answered at the last check.';
  const size = counted(all.length, 'component');
  return [
    stale.length === 0 ? [] : `${stale.length} of ${size} could not be checked.`,
    held.length === 0 ? [] : `${held.length} of ${size} await${held.length === 1 ? 's' : ''} review.`,
  ]
    .flat()
    .join(' ');
}

/** The problem of a source, in full. */
export function troubleText(trouble: Trouble): string {
  const { source, kind, reason, heldSince, lastAnswered } = trouble;
  const what = sentence(`${withoutAddress(source)}: ${reason}`);
  if (kind === 'held')
    return `${what} ${isHeldEdit(trouble) ? 'It' : 'Its answer'} has waited for review since ${heldSince ?? 'an unknown day'}.`;
  return lastAnswered === undefined ? what : `${what} It last answered on ${lastAnswered}.`;
}

/** Arguments of the program that accept a held answer. */
export function acceptArguments(component: string): string {
  return `gather ${component} --accept`;
}
