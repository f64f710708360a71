import { addMonths, type Day } from '../dates.ts';
import type { SupportPolicy } from '../model/definition.ts';
import { compareVersions, parseVersion } from '../version.ts';
import type { ReleaseLine } from './lines.ts';
import type { Reason } from './reason.ts';

/** For each release line, in the order given, the reason for which the support policy leaves it behind, if it does. */
export function supportReasons(policy: SupportPolicy, lines: readonly ReleaseLine[]): (Reason | undefined)[] {
  switch (policy.policy) {
    case 'none':
      return lines.map(() => undefined);
    case 'ended':
      return lines.map(() => ended(policy));
    case 'term':
      return lines.map((line) => termEnd(line, policy.months));
    case 'latest-lines':
      return outnumbered(lines, policy.count);
    case 'dated':
      return lines.map((line) => datedEnd(line, policy.lines));
  }
}

function ended(policy: Extract<SupportPolicy, { policy: 'ended' }>): Reason {
  const since = policy.since === undefined ? '' : ` Support ends on ${policy.since}.`;
  const text = policy.reason ?? `Support of this component has ended.${since}`;
  return { rule: 'support policy', text };
}

function termEnd(line: ReleaseLine, months: number): Reason | undefined {
  const start = line.firstReleaseDay ?? line.firstReleaseNotAfter;
  if (start === undefined) return undefined;
  const known = line.firstReleaseDay !== undefined;
  const began = known ? `on ${start}` : `no later than ${start}`;
  return {
    rule: 'support policy',
    text: `${line.name} was first released ${began}; a release line is supported for ${count(months, 'month')}.`,
    from: addMonths(start, months),
  };
}

/** A line is left behind on the day that the last of as many newer lines began as are supported. */
function outnumbered(lines: readonly ReleaseLine[], limit: number): (Reason | undefined)[] {
  const text = `Only the newest ${count(limit, 'release line')} of this component ${limit === 1 ? 'is' : 'are'} supported.`;
  const reasons: (Reason | undefined)[] = [];
  // The earliest starts of the newer lines, soonest first; never more than the limit.
  const starts: Day[] = [];
  let newer = 0;
  let isStartUnknown = false;
  for (const line of lines.toReversed()) {
    if (newer < limit) reasons.push(undefined);
    else reasons.push({ rule: 'support policy', text, ...(!isStartUnknown && { from: starts.at(-1)! }) });
    if (!isOpen(line)) continue;
    newer += 1;
    const start = line.firstReleaseDay ?? line.firstReleaseNotAfter;
    if (start === undefined) isStartUnknown = true;
    else insertDay(starts, start, limit);
  }
  return reasons.reverse();
}

/** Keeps the list sorted, and no longer than the limit. */
function insertDay(days: Day[], day: Day, limit: number): void {
  const at = days.findLastIndex((other) => other <= day) + 1;
  if (at >= limit) return;
  days.splice(at, 0, day);
  if (days.length > limit) days.pop();
}

/** A line that exists as prereleases only, or not any more, pushes no other out of support. */
function isOpen(line: ReleaseLine): boolean {
  return line.releases.some((release) => !release.isPrerelease && release.withdrawnSince === undefined);
}

function datedEnd(line: ReleaseLine, ends: Readonly<Record<string, Day>>): Reason | undefined {
  const own = ends[line.name];
  if (own !== undefined) {
    return { rule: 'support policy', text: `Support of ${line.name} ends on ${own}.`, from: own };
  }
  const position = parseVersion(line.name)!;
  const listed = Object.keys(ends)
    .map((name) => ({ name, parsed: parseVersion(name)! }))
    .sort((a, b) => compareVersions(a.parsed, b.parsed));
  const newer = listed.find(({ parsed }) => compareVersions(parsed, position) > 0);
  if (!newer) return undefined;
  const text = `${line.name} is older than ${newer.name}`;
  if (newer === listed[0]) {
    return {
      rule: 'support policy',
      text: `${text}, the oldest release line that is still listed as supported.`,
    };
  }
  // Between two listed lines: a line does not outlive the next newer one.
  const end = ends[newer.name]!;
  return { rule: 'support policy', text: `${text}, whose support ends on ${end}.`, from: end };
}

function count(number: number, noun: string): string {
  return number === 1 ? `one ${noun}` : `${number} ${noun}s`;
}
