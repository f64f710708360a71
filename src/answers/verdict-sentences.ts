import type { DetailsFile } from '../model/published/details-file.ts';
import { sentence } from '../text.ts';

type Release = DetailsFile['releases'][number];
type Line = DetailsFile['lines'][number];
type Reason = NonNullable<Release['reasons']>[number];

const ruleNames = {
  definition: "the definition's list",
  withdrawn: 'withdrawal',
  upstream: 'its source',
  'support policy': 'the support policy',
};

/** Why a release stands where it stands and what is known to change that, in sentences. */
export function verdictOf({ isDeprecated, reasons = [], upcoming = [] }: Release, line: Line): string {
  const ofSupport = upcoming.find(({ rule, from }) => rule === 'support policy' && from === line.eolFrom);
  const later = upcoming.filter((reason) => reason !== ofSupport);
  return [
    ...(isDeprecated ? reasons.map(told('Deprecated since')) : [standingOf(line)]),
    ...endOf(line, isDeprecated, ofSupport),
    ...later.map(told(isDeprecated ? 'Also, from' : 'Will be deprecated from')),
  ].join(' ');
}

function told(begin: string): (reason: Reason) => string {
  return ({ from, rule, text }) => {
    const since = from === undefined ? 'Deprecated' : `${begin} ${from}`;
    return `${since} by ${ruleNames[rule]}: ${sentence(text)}`;
  };
}

function standingOf({ isSupported }: Line): string {
  if (isSupported === undefined) return 'Not deprecated; no support policy covers it.';
  return isSupported ? 'Supported.' : 'Not supported.';
}

/** When it leaves support, while its support runs. */
function endOf(
  { isSupported, eolFrom, undatedEnd }: Line,
  isDeprecated: boolean,
  reason: Reason | undefined,
): string[] {
  if (!isSupported) return [];
  if (undatedEnd !== undefined) return [`End of support: ${sentence(undatedEnd)}`];
  if (eolFrom === undefined) return isDeprecated ? [] : ['No end of its support is stated.'];
  return [`Leaves support on ${eolFrom}${reason ? `: ${sentence(reason.text)}` : '.'}`];
}
