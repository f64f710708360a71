import { addMonths, type Day } from '../core/dates.ts';
import type { SupportPolicy } from '../core/schemas/definition.ts';
import { countedInWords, defined } from '../core/text.ts';
import { compareVersions, parseVersion, type Version } from '../core/version.ts';
import type { ReleaseLine } from './lines.ts';
import type { Reason } from '../core/schemas/published/details-file.ts';

/** For each release line, in the order given, the reason why the policy deprecates it or will, if there is one. */
export function supportReasons(
  policy: SupportPolicy,
  lines: readonly ReleaseLine[],
  day: Day,
): (Reason | undefined)[] {
  switch (policy.policy) {
    case 'none':
      return lines.map(() => undefined);
    case 'ended':
      return lines.map(() => ended(policy, day));
    case 'term':
      return lines.map((line) => termEnd(line, policy.months, day));
    case 'latest-lines':
      return outnumbered(lines, policy.count);
    case 'dated': {
      const ends = datedLines(policy.lines);
      return lines.map((line) => datedEnd(line, ends, day));
    }
  }
}

/** The first day without support of a line, past or future, if there is one. Only `ended` may deprecate before it. */
export function endOfSupport(policy: SupportPolicy, reason: Reason | undefined): Day | undefined {
  return policy.policy === 'ended' ? (policy.since ?? policy.deprecatedFrom) : reason?.from;
}

/** Where nobody states since when every version is deprecated, it has been so since support ended at the latest. */
function ended(policy: Extract<SupportPolicy, { policy: 'ended' }>, day: Day): Reason {
  const { since, deprecatedFrom, reason } = policy;
  const hasEnded = since !== undefined && since <= day;
  const from = deprecatedFrom ?? (hasEnded ? since : undefined);
  const text = reason ?? describePolicy(policy, day);
  return defined({ rule: 'support policy', text, from } as const);
}

function termEnd(line: ReleaseLine, months: number, day: Day): Reason | undefined {
  const start = line.firstReleaseDay ?? line.firstReleaseNotAfter;
  if (start === undefined) return undefined;
  const isStated = line.firstReleaseKind === 'published';
  const end = addMonths(start, months);
  const term = `a release line is supported for ${countedInWords(months, 'month')}`;
  // By the first day of a newer line alone, that the line is out of support is known, and not since when.
  const isDated = line.firstReleaseDay !== undefined || end > day;
  return defined({
    rule: 'support policy',
    text: `${line.name} was first released ${isStated ? 'on' : 'no later than'} ${start}; ${term}.`,
    from: isDated ? end : undefined,
    fromKind: isDated && !isStated ? 'observed' : undefined,
  } as const);
}

function outnumbered(lines: readonly ReleaseLine[], limit: number): (Reason | undefined)[] {
  const text = `Only the newest ${countedInWords(limit, 'release line')} of this component ${limit === 1 ? 'is' : 'are'} supported.`;
  // The earliest first days of the newer lines, as many as can count, while going from the newest line to the oldest.
  const starts: { day: Day; isStated: boolean }[] = [];
  let undated = 0;
  const reasons = lines.toReversed().map((line): Reason | undefined => {
    const isOutnumbered = starts.length + undated >= limit;
    const last = undated === 0 ? starts[limit - 1] : undefined;
    if (line.isOpen) {
      const day = line.firstReleaseDay ?? line.firstReleaseNotAfter;
      if (day === undefined) undated += 1;
      else {
        starts.push({ day, isStated: line.firstReleaseKind === 'published' });
        starts.sort((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day))).splice(limit);
      }
    }
    if (!isOutnumbered) return undefined;
    return defined({
      rule: 'support policy',
      text,
      from: last?.day,
      fromKind: last && !last.isStated ? 'observed' : undefined,
    } as const);
  });
  return reasons.toReversed();
}

function datedEnd(line: ReleaseLine, ends: readonly DatedLine[], day: Day): Reason | undefined {
  const position = parseVersion(line.name)!;
  const own = ends.find(({ parsed }) => compareVersions(parsed, position) === 0);
  const because = (text: string, from?: Day): Reason =>
    defined({ rule: 'support policy', text, from } as const);
  const endsOn = (end: Day) => `${end <= day ? 'ended' : 'ends'} on ${end}`;
  if (own) return because(`Support of ${line.name} ${endsOn(own.end)}.`, own.end);
  const newer = ends.find(({ parsed }) => compareVersions(parsed, position) > 0);
  if (!newer) return undefined;
  const older = `${line.name} is older than ${newer.name}`;
  if (newer === ends[0]) return because(`${older}, the oldest release line whose end of support is stated.`);
  // Between two listed lines: a line does not outlive the next newer one.
  return because(`${older}, whose support ${endsOn(newer.end)}.`, newer.end);
}

interface DatedLine {
  name: string;
  parsed: Version;
  end: Day;
}

/** Oldest first. */
function datedLines(ends: Readonly<Record<string, Day>>): DatedLine[] {
  return Object.entries(ends)
    .map(([name, end]) => ({ name, parsed: parseVersion(name)!, end }))
    .sort((a, b) => compareVersions(a.parsed, b.parsed));
}

/** What is certain of the end of a supported line although nobody can name its day. */
export type UndatedEnd =
  | { readonly kind: 'next line' }
  /** The term runs from a day that nobody states. `notBefore`: ahead of the day judged, where it is known. */
  | { readonly kind: 'term'; readonly months: number; readonly notBefore?: Day };

/** For each release line, in the order given; `reasons` are those of `supportReasons`. */
export function undatedEnds(
  policy: SupportPolicy,
  lines: readonly ReleaseLine[],
  reasons: readonly (Reason | undefined)[],
  day: Day,
): (UndatedEnd | undefined)[] {
  if (policy.policy === 'latest-lines') {
    const then = supportReasons(policy, [...lines, oneMoreLine], day);
    return lines.map((_, index) => (!reasons[index] && then[index] ? { kind: 'next line' } : undefined));
  }
  if (policy.policy !== 'term') return lines.map(() => undefined);
  let notBefore: Day | undefined;
  return lines.map((line, index) => {
    const end = reasons[index]?.from;
    if (!reasons[index]) return defined({ kind: 'term', months: policy.months, notBefore } as const);
    // Lines begin in their order, so that a later one does not end before this one. A bound may be too late.
    if (end !== undefined && end > (notBefore ?? day) && line.firstReleaseKind === 'published')
      notBefore = end;
    return undefined;
  });
}

const oneMoreLine: ReleaseLine = { name: '', releases: [], isOpen: true };

/** The support policy of a component in one sentence, as of a day. */
export function describePolicy(policy: SupportPolicy = { policy: 'none' }, day: Day): string {
  switch (policy.policy) {
    case 'none':
      return 'There is no support policy: releases are listed, and the end of their support is unknown.';
    case 'ended':
      return describeEnd(policy, day);
    case 'term':
      return `A release line is supported for ${countedInWords(policy.months, 'month')} from its first release.`;
    case 'latest-lines':
      return policy.count === 1
        ? 'Only the newest release line is supported.'
        : `The newest ${policy.count} release lines are supported.`;
    case 'dated':
      return 'The support of each release line ends on a stated day.';
  }
}

function describeEnd(
  { since, deprecatedFrom }: Extract<SupportPolicy, { policy: 'ended' }>,
  day: Day,
): string {
  const end = since ?? deprecatedFrom;
  if (end === undefined) return 'Support of this component has ended.';
  if (end <= day) return `Support of this component ended on ${end}.`;
  if (deprecatedFrom === undefined) return `Every release is deprecated; support ends on ${end}.`;
  if (deprecatedFrom === end) return `Support of this component ends on ${end}.`;
  const deprecation = deprecatedFrom <= day ? 'has been deprecated since' : 'will be deprecated on';
  return `Every release ${deprecation} ${deprecatedFrom}; support ends on ${end}.`;
}
