import { isLineOpen, type JudgedLine, type JudgedRelease } from '../judge.ts';
import type { Reason } from '../reason.ts';
import { sentence } from '../../core/text.ts';
import { describeUndatedEnd } from './line-words.ts';

const ruleNames = {
  definition: "the definition's list",
  withdrawn: 'withdrawal',
  upstream: 'its source',
  'support policy': 'the support policy',
};

/** Why a release stands where it stands and what is known to change that, in sentences that stay true until it changes. */
export function verdictOf({ isDeprecated, reasons, upcoming }: JudgedRelease, line: JudgedLine): string {
  const ofSupport = upcoming.find(({ rule, from }) => rule === 'support policy' && from === line.eolFrom);
  const later = upcoming.filter((reason) => reason !== ofSupport);
  return [
    ...(isDeprecated ? reasons.map(told('Deprecated since')) : [standingOf(line)]),
    ...endOf(line, isDeprecated, ofSupport),
    ...later.map(told(isDeprecated ? 'Also, from' : 'Will be deprecated from')),
  ].join(' ');
}

/** What holds of a version that belongs to a release line and is not listed, in sentences. */
export function verdictOfLine(line: JudgedLine): string {
  return `Its release line ${line.name} ${lineVerdict(line)}`;
}

function told(begin: string): (reason: Reason) => string {
  return ({ from, rule, text }) => {
    const since = from === undefined ? 'Deprecated' : `${begin} ${from}`;
    return `${since} by ${ruleNames[rule]}: ${sentence(text)}`;
  };
}

function standingOf({ isSupported }: JudgedLine): string {
  if (isSupported === undefined) return 'Not deprecated; no support policy covers it.';
  return isSupported ? 'Supported.' : 'Not supported.';
}

/** When it leaves support, while its support runs. */
function endOf(
  { isSupported, eolFrom, undatedEnd }: JudgedLine,
  isDeprecated: boolean,
  reason: Reason | undefined,
): string[] {
  if (!isSupported) return [];
  if (undatedEnd) return [`End of support: ${sentence(describeUndatedEnd(undatedEnd))}`];
  if (eolFrom === undefined) return isDeprecated ? [] : ['No end of its support is stated.'];
  return [`Leaves support on ${eolFrom}${reason ? `: ${sentence(reason.text)}` : '.'}`];
}

function lineVerdict(line: JudgedLine): string {
  const { isSupported, eolFrom, undatedEnd, reason } = line;
  if (isSupported === false)
    return eolFrom === undefined
      ? `is not supported: ${sentence(reason?.text ?? '')}`
      : `left support on ${eolFrom}.`;
  if (!isLineOpen(line)) return 'has no release that is free of deprecation.';
  if (isSupported === undefined) return 'is listed: no support policy covers it.';
  if (undatedEnd) return `is supported. End of support: ${sentence(describeUndatedEnd(undatedEnd))}`;
  return eolFrom === undefined ? 'is supported, and no end is stated.' : `leaves support on ${eolFrom}.`;
}
