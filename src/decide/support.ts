import { addMonths, type Day } from '../core/dates.ts';
import type { SupportPolicy } from '../core/schemas/definition.ts';
import { countedInWords, defined } from '../core/text.ts';
import { compareVersions, parseVersion, type Version } from '../core/version.ts';
import { describePolicy } from './describe-policy.ts';
import type { ReleaseLine } from './lines.ts';
import type { Reason } from './reason.ts';

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
