import { addMonths, newestFirst, type Day } from '../core/dates.ts';
import type { SupportPolicy } from '../core/schemas/definition.ts';
import { countedInWords, defined } from '../core/text.ts';
import { compareVersions, parseVersion } from '../core/version.ts';
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
    case 'dated':
      return datedEnds(lines, policy.lines, day);
  }
}

/** The first day without support of a line, past or future, if there is one. Only `ended` may deprecate before it. */
export function endOfSupport(policy: SupportPolicy, reason: Reason | undefined): Day | undefined {
  return policy.policy === 'ended' ? (policy.since ?? policy.deprecatedFrom) : reason?.from;
}

function because(text: string, from?: Day, isBound = false): Reason {
  const fromKind = isBound && from !== undefined ? 'observed' : undefined;
  return defined({ rule: 'support policy', text, from, fromKind } as const);
}

/** Where nobody states since when every version is deprecated, it has been so since support ended at the latest. */
function ended(policy: Extract<SupportPolicy, { policy: 'ended' }>, day: Day): Reason {
  const { since, deprecatedFrom, reason = describePolicy(policy, day) } = policy;
  return because(reason, deprecatedFrom ?? (since !== undefined && since <= day ? since : undefined));
}

function termEnd(line: ReleaseLine, months: number, day: Day): Reason | undefined {
  const start = line.firstReleaseDay ?? line.firstReleaseNotAfter;
  if (start === undefined) return undefined;
  const isStated = line.firstReleaseKind === 'published';
  const end = addMonths(start, months);
  const began = `${line.name} was first released ${isStated ? 'on' : 'no later than'} ${start}`;
  // By the first day of a newer line alone, that the line is out of support is known, and not since when.
  const isDated = line.firstReleaseDay !== undefined || end > day;
  const text = `${began}; a release line is supported for ${countedInWords(months, 'month')}.`;
  return because(text, isDated ? end : undefined, !isStated);
}

function outnumbered(lines: readonly ReleaseLine[], limit: number): (Reason | undefined)[] {
  const text = `Only the newest ${countedInWords(limit, 'release line')} of this component ${limit === 1 ? 'is' : 'are'} supported.`;
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

function datedEnds(
  lines: readonly ReleaseLine[],
  stated: Readonly<Record<string, Day>>,
  day: Day,
): (Reason | undefined)[] {
  const ends = Object.entries(stated)
    .map(([name, end]) => ({ name, end, parsed: parseVersion(name)! }))
    .sort((a, b) => compareVersions(a.parsed, b.parsed));
  const endsOn = (end: Day) => `${end <= day ? 'ended' : 'ends'} on ${end}`;
  return lines.map(({ name }) => {
    const line = parseVersion(name)!;
    const next = ends.find(({ parsed }) => compareVersions(parsed, line) >= 0);
    if (!next) return undefined;
    const isOwn = compareVersions(next.parsed, line) === 0;
    if (isOwn) return because(`Support of ${name} ${endsOn(next.end)}.`, next.end);
    const older = `${name} is older than ${next.name}`;
    if (next === ends[0]) return because(`${older}, the oldest release line whose end of support is stated.`);
    // Between two listed lines: a line does not outlive the next newer one.
    return because(`${older}, whose support ${endsOn(next.end)}.`, next.end);
  });
}

/** For each release line, in the order given, whether one more line would end its support; `reasons` are those of `supportReasons`. */
export function endWithNextLine(
  policy: SupportPolicy,
  lines: readonly ReleaseLine[],
  reasons: readonly (Reason | undefined)[],
  day: Day,
): boolean[] {
  const oneMore: ReleaseLine = { name: '', releases: [], isOpen: true };
  const then = policy.policy === 'latest-lines' ? supportReasons(policy, [...lines, oneMore], day) : [];
  return lines.map((_, index) => !reasons[index] && then[index] !== undefined);
}

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
