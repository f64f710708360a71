import type { Day } from '../dates.ts';
import { sentence } from '../text.ts';

/** The verdict on a release: a judged one, or one of `details/` with what its line says of support. */
export interface Verdict {
  readonly isDeprecated: boolean;
  readonly isSupported?: boolean | undefined;
  readonly supportedUntil?: Day | undefined;
  /** What is certain of the end of support where no day can be named. */
  readonly undatedEnd?: string | undefined;
  readonly reasons?: readonly VerdictReason[] | undefined;
  readonly upcoming?: readonly VerdictReason[] | undefined;
}

interface VerdictReason {
  readonly rule: keyof typeof ruleNames;
  readonly text: string;
  readonly from?: Day | undefined;
}

const ruleNames = {
  definition: "the definition's list",
  withdrawn: 'withdrawal',
  upstream: 'its source',
  'support policy': 'the support policy',
};

/** Why a release stands where it stands and what is known to change that, in sentences. */
export function verdictLines({
  isDeprecated,
  isSupported,
  supportedUntil,
  undatedEnd,
  reasons = [],
  upcoming = [],
}: Verdict): string[] {
  const because = reasons.map(({ from, rule, text }) => {
    const since = from === undefined ? '' : ` since ${from}`;
    return `Deprecated${since} by ${ruleNames[rule]}: ${sentence(text)}`;
  });
  const ofSupport = upcoming.find(({ rule, from }) => rule === 'support policy' && from === supportedUntil);
  const begin = isDeprecated ? 'Also, from' : 'Will be deprecated from';
  const later = upcoming
    .filter((reason) => reason !== ofSupport)
    .map(({ from, rule, text }) => `${begin} ${from} by ${ruleNames[rule]}: ${sentence(text)}`);
  const standing = isDeprecated ? because : [standingOf(isSupported)];
  return [
    ...standing,
    ...endOf({ isDeprecated, isSupported, supportedUntil, undatedEnd }, ofSupport),
    ...later,
  ];
}

function standingOf(isSupported: boolean | undefined): string {
  if (isSupported === undefined) return 'Not deprecated; no support policy covers it.';
  return isSupported ? 'Supported.' : 'Not supported.';
}

/** When it leaves support, while its support runs. */
function endOf(
  { isDeprecated, isSupported, supportedUntil, undatedEnd }: Verdict,
  reason: VerdictReason | undefined,
): string[] {
  if (!isSupported) return [];
  if (undatedEnd !== undefined) return [`End of support: ${sentence(undatedEnd)}`];
  if (supportedUntil === undefined) return isDeprecated ? [] : ['No end of its support is stated.'];
  return [`Leaves support on ${supportedUntil}${reason ? `: ${sentence(reason.text)}` : '.'}`];
}
