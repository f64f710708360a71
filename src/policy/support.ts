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
      return lines.map((_, index) => outnumbered(lines, index, policy.count));
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

function outnumbered(lines: readonly ReleaseLine[], index: number, limit: number): Reason | undefined {
  const newer = lines.slice(index + 1).filter(isOpen);
  if (newer.length < limit) return undefined;
  const starts = newer.map((line) => line.firstReleaseDay ?? line.firstReleaseNotAfter);
  const text = `Only the newest ${count(limit, 'release line')} of this component ${limit === 1 ? 'is' : 'are'} supported.`;
  if (starts.some((start) => start === undefined)) return { rule: 'support policy', text };
  return { rule: 'support policy', text, from: (starts as Day[]).sort()[limit - 1]! };
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
