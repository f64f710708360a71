import { addMonths, newestFirst, type Day } from '../core/dates.ts';
import { compileExpression } from '../core/expression.ts';
import { lastFreePhase, onlyPhase, phaseLabel } from '../core/phases.ts';
import type { Phase } from '../core/schemas/phase.ts';
import type { Reason } from '../core/schemas/published/details-file.ts';
import type { StatedLine } from '../core/schemas/recorded.ts';
import type { SupportPolicy } from '../core/schemas/support-policy.ts';
import type { SupportSource } from '../core/schemas/support-source.ts';
import { countedInWords, defined } from '../core/text.ts';
import { compareVersions, parseVersion } from '../core/version.ts';
import type { ReleaseLine } from './lines.ts';

/** A phase of a release line, and why it ends or has ended, if it does. */
export interface JudgedPhase extends Phase {
  readonly reason?: Reason;
}

/** The support that a policy gives a release line. */
export interface LineSupport {
  /** In their order; empty without a policy, so that nothing is promised. */
  readonly phases: readonly JudgedPhase[];
  /** It has long-term support. */
  readonly isLts?: true;
}

type NamedPhase = Pick<Phase, 'name' | 'paid'>;
type Planned<Length extends string> = NamedPhase & Readonly<Record<Length, number>>;
type Policy<Name extends SupportPolicy['policy']> = Extract<SupportPolicy, { policy: Name }>;

/** The phases of each release line, in the order given. */
export function supportOf(
  policy: SupportPolicy,
  lines: readonly ReleaseLine[],
  day: Day,
  stated: readonly StatedLine[] = [],
): LineSupport[] {
  const isLts = policy.policy === 'stated' ? statedLtsTest(stated, day) : ltsTest(policy);
  return phasesOf(policy, lines, isLts, day, stated).map((phases, index) =>
    defined({ phases, isLts: isLts(lines[index]!) || undefined }),
  );
}

type LineTest = (line: ReleaseLine) => true | undefined;

function phasesOf(
  policy: SupportPolicy,
  lines: readonly ReleaseLine[],
  isLts: LineTest,
  day: Day,
  stated: readonly StatedLine[],
): JudgedPhase[][] {
  switch (policy.policy) {
    case 'none':
      return lines.map(() => []);
    case 'ended':
      return lines.map(() => [ended(policy, day)]);
    case 'term':
      return lines.map((line) => {
        const short = [{ name: onlyPhase, months: policy.months! }];
        const plan = isLts(line) ? policy.lts!.phases : (policy.phases ?? short);
        return plan.map((phase) => judgedPhase(phase, termEnd(line, phase, plan.length === 1, day)));
      });
    case 'latest-lines':
      return countedPhases(policy, lines, isLts);
    case 'dated':
      return datedPhases(lines, statedLines(policy), day);
    case 'stated':
      // Nobody has promised anything before its source has answered.
      return stated.length === 0
        ? lines.map(() => [])
        : datedPhases(lines, stated, day, statedBy(policy.source));
  }
}

/** Which lines have long-term support. */
function ltsTest(policy: SupportPolicy): LineTest {
  const { lines } = ('lts' in policy && policy.lts) || { lines: [] };
  if (typeof lines !== 'string') return ({ name }) => lines.includes(name) || undefined;
  const [, pattern, flag] = /^\/(.*)\/(i?)$/.exec(lines)!;
  const expression = compileExpression(pattern!, flag === 'i' ? 'i' : '');
  return ({ name }) => expression.test(name) || undefined;
}

function statedLtsTest(stated: readonly StatedLine[], day: Day): LineTest {
  const long = stated.filter(({ lts }) => lts === true || (lts !== undefined && lts <= day));
  const names = new Set(long.map(({ line }) => line));
  return ({ name }) => names.has(name) || undefined;
}

/** The host that states ends of support, and its page or document. */
function statedBy(source: SupportSource): { host: string; url?: string } {
  const page =
    'url' in source ? source.url : (source.registryUrl ?? `https://endoflife.date/${source.product}`);
  return { host: new URL(page).host, ...(page.startsWith('https:') && { url: page }) };
}

/** A reason without a day has always held. */
function judgedPhase({ name, paid }: NamedPhase, reason: Reason | undefined): JudgedPhase {
  const isOver = reason && reason.from === undefined ? (true as const) : undefined;
  return defined({ name, until: reason?.from, untilKind: reason?.fromKind, paid, isOver, reason });
}

function because(text: string, from?: Day, isBound = false, url?: string): Reason {
  const fromKind = isBound && from !== undefined ? 'observed' : undefined;
  return defined({ rule: 'support policy', text, from, fromKind, url } as const);
}

/**
 * Every version may be deprecated before support ends. If nobody states since when, it has been so since support ended at the latest.
 */
function ended(policy: Policy<'ended'>, day: Day): JudgedPhase {
  const { since, deprecatedFrom, reason = describePolicy(policy, day) } = policy;
  const until = since ?? deprecatedFrom;
  const from = deprecatedFrom ?? (since !== undefined && since <= day ? since : undefined);
  const isOver = until === undefined ? (true as const) : undefined;
  return defined({ name: onlyPhase, until, isOver, reason: because(reason, from) });
}

function termEnd(line: ReleaseLine, phase: Planned<'months'>, isOnly: boolean, day: Day): Reason | undefined {
  const start = line.firstReleaseDay ?? line.firstReleaseNotAfter;
  if (start === undefined) return undefined;
  const isStated = line.firstReleaseKind === 'published';
  const end = addMonths(start, phase.months);
  const began = `${line.name} was first released ${isStated ? 'on' : 'no later than'} ${start}`;
  // By the first day of a newer line alone, that the line is out of support is known, and not since when.
  const isDated = line.firstReleaseDay !== undefined || end > day;
  const length = countedInWords(phase.months, 'month');
  const rule = isOnly
    ? `a release line is supported for ${length}`
    : `its phase ${phaseLabel(phase)} ends after ${length}`;
  return because(`${began}; ${rule}.`, isDated ? end : undefined, !isStated);
}

/** Lines with long-term support are counted among each other. */
function countedPhases(
  policy: Policy<'latest-lines'>,
  lines: readonly ReleaseLine[],
  isLts: LineTest,
): JudgedPhase[][] {
  const judged = new Map<ReleaseLine, JudgedPhase[]>();
  for (const isLong of [undefined, true] as const) {
    if (isLong && policy.lts === undefined) continue;
    const short = [{ name: onlyPhase, count: policy.count! }];
    const plan = isLong ? policy.lts!.phases : (policy.phases ?? short);
    const among = isLong ? lines.filter(isLts) : lines;
    const reasons = plan.map((phase) => outnumbered(among, phase, plan.length === 1, isLong));
    for (const [index, line] of among.entries())
      judged.set(
        line,
        plan.map((phase, place) => judgedPhase(phase, reasons[place]![index])),
      );
  }
  return lines.map((line) => judged.get(line)!);
}

function outnumbered(
  lines: readonly ReleaseLine[],
  phase: Planned<'count'>,
  isOnly: boolean,
  isLong: boolean | undefined,
): (Reason | undefined)[] {
  const limit = phase.count;
  const newest = countedInWords(limit, isLong ? 'release line with long-term support' : 'release line');
  const [is, has] = limit === 1 ? ['is', 'has'] : ['are', 'have'];
  const text = isOnly
    ? `Only the newest ${newest} of this component ${is} supported.`
    : `Only the newest ${newest} of this component ${has} phase ${phaseLabel(phase)}.`;
  // The earliest first days of the newer lines, as many as can count, while going from the newest line to the oldest.
  const starts: { day: Day; isStated: boolean }[] = [];
  let undated = 0;
  const reasons = lines.toReversed().map((line): Reason | undefined => {
    const isOutnumbered = starts.length + undated >= limit;
    const last = undated === 0 ? starts[limit - 1] : undefined;
    const day = line.firstReleaseDay ?? line.firstReleaseNotAfter;
    if (line.isOpen && day === undefined) undated += 1;
    else if (line.isOpen) {
      starts.push({ day: day!, isStated: line.firstReleaseKind === 'published' });
      starts.sort((a, b) => newestFirst(b.day, a.day)).splice(limit);
    }
    return isOutnumbered ? because(text, last?.day, last?.isStated === false) : undefined;
  });
  return reasons.toReversed();
}

function statedLines({ lines, paid = [] }: Policy<'dated'>): StatedLine[] {
  return Object.entries(lines).map(([line, stated]) => {
    const days = typeof stated === 'string' ? { [onlyPhase]: stated } : stated;
    const phases = Object.entries(days).map(([name, until]) =>
      defined({ name, until, paid: paid.includes(name) || undefined }),
    );
    return { line, phases };
  });
}

/** A line that nobody speaks of ends with the next newer one; older ones than all have ended, newer ones have not. */
function datedPhases(
  lines: readonly ReleaseLine[],
  stated: readonly StatedLine[],
  day: Day,
  by?: ReturnType<typeof statedBy>,
): JudgedPhase[][] {
  const as = by ? `, as ${by.host} states` : '';
  const all = stated
    .map(({ line, phases }) => ({ name: line, phases, parsed: parseVersion(line)! }))
    .sort((a, b) => compareVersions(a.parsed, b.parsed));
  const only = { name: onlyPhase };
  return lines.map(({ name }) => {
    const line = parseVersion(name)!;
    const next = all.find(({ parsed }) => compareVersions(parsed, line) >= 0);
    if (!next) return [judgedPhase(only, undefined)];
    const isOwn = compareVersions(next.parsed, line) === 0;
    const older = `${name} is older than ${next.name}`;
    if (!isOwn && next === all[0])
      return [
        judgedPhase(only, because(`${older}, the oldest release line whose end of support is stated.`)),
      ];
    return next.phases.map((phase) => {
      const { until, untilKind, isOver } = phase;
      if (until === undefined && !isOver) return phase;
      const ends = until === undefined ? 'has ended' : `${until <= day ? 'ended' : 'ends'} on ${until}`;
      const isOnly = next.phases.length === 1;
      const own = isOnly ? `Support of ${name}` : `Phase ${phaseLabel(phase)} of ${name}`;
      // Between two listed lines: a line does not outlive the next newer one.
      const other = `${older}, whose ${isOnly ? 'support' : `phase ${phaseLabel(phase)}`}`;
      const text = `${isOwn ? own : other} ${ends}${as}.`;
      return judgedPhase(phase, because(text, until, untilKind !== undefined, by?.url));
    });
  });
}

/** For each release line, in the order given, whether one more line would end its support; `support` is that of `supportOf`. */
export function endWithNextLine(
  policy: SupportPolicy,
  lines: readonly ReleaseLine[],
  support: readonly LineSupport[],
  day: Day,
): boolean[] {
  const oneMore: ReleaseLine = { name: '', releases: [], isOpen: true };
  const then = policy.policy === 'latest-lines' ? supportOf(policy, [...lines, oneMore], day) : [];
  const isEnding = ({ phases }: LineSupport) => lastFreePhase(phases)?.reason !== undefined;
  return then.slice(0, lines.length).map((line, index) => isEnding(line) && !isEnding(support[index]!));
}

/** The support policy of a component in one sentence, as of a day; in two where lines with long-term support have phases of their own. */
export function describePolicy(policy: SupportPolicy = { policy: 'none' }, day: Day): string {
  switch (policy.policy) {
    case 'none':
      return 'There is no support policy: releases are listed, and the end of their support is unknown.';
    case 'ended':
      return describeEnd(policy, day);
    case 'term': {
      const { months, phases = [], lts } = policy;
      const rule =
        months === undefined
          ? `The phases of a release line, in months from its first release: ${planned(phases)}.`
          : `A release line is supported for ${countedInWords(months, 'month')} from its first release.`;
      return lts ? `${rule} With long-term support, in months: ${planned(lts.phases)}.` : rule;
    }
    case 'latest-lines': {
      const { count, phases = [], lts } = policy;
      const newest =
        count === 1 ? 'Only the newest release line is' : `The newest ${count} release lines are`;
      const rule =
        count === undefined
          ? `The phases of the newest release lines: ${planned(phases)}.`
          : `${newest} supported.`;
      return lts ? `${rule} Of those with long-term support: ${planned(lts.phases)}.` : rule;
    }
    case 'dated':
      return 'The support of each release line ends on a stated day.';
    case 'stated':
      return `The support of each release line ends as ${statedBy(policy.source).host} states.`;
  }
}

/** `active until 12, security until 18` months, or `active for 1, security for 3` lines. */
function planned(phases: readonly (Planned<'months'> | Planned<'count'>)[]): string {
  return phases
    .map(
      (phase) => `${phaseLabel(phase)} ${'months' in phase ? `until ${phase.months}` : `for ${phase.count}`}`,
    )
    .join(', ');
}

function describeEnd({ since, deprecatedFrom }: Policy<'ended'>, day: Day): string {
  const end = since ?? deprecatedFrom;
  if (end === undefined) return 'Support of this component has ended.';
  if (end <= day) return `Support of this component ended on ${end}.`;
  if (deprecatedFrom === undefined) return `Every release is deprecated; support ends on ${end}.`;
  if (deprecatedFrom === end) return `Support of this component ends on ${end}.`;
  const deprecation = deprecatedFrom <= day ? 'has been deprecated since' : 'will be deprecated on';
  return `Every release ${deprecation} ${deprecatedFrom}; support ends on ${end}.`;
}
