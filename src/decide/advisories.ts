import { findEarliestDay, oldestFirst } from '../core/model/dates.ts';
import { dropUndefined, listDistinct } from '../core/model/objects.ts';
import { isInRange, parseVersionRange } from '../core/model/version-range.ts';
import { parseVersion, rankKey, shorten, type Version } from '../core/model/version.ts';
import { describeExploitation } from '../core/model/words.ts';
import { Advisory, severities, type Exploitation } from '../core/schemas/recorded/recorded.ts';
import { formatList } from '../core/text/wording.ts';

type Severity = NonNullable<Advisory['severity']>;

/** The advisories on a release. */
export interface Security extends Exploitation {
  /** The advisories that affect it, the exploited ones first. */
  readonly advisories: readonly Advisory[];
  readonly isVulnerable: boolean;
  /** The advisories that it fixes. */
  readonly fixes: readonly Advisory[];
  /** The definition or a trusted source calls it a fix. */
  readonly isTrustedFix: boolean;
}

/** The most aliases and fixed versions that the schema of an advisory accepts. */
const maxAliases = 20;
const maxFixed = 1000;

/**
 * The advisories of a definition and its sources, by id. Those that share an id or an alias are one: as the definition states it, or
 * else as its sources state it together. `catalogued`: the days of exploitation that catalogues state, by id.
 */
export function uniteAdvisories(
  inDefinition: readonly Advisory[],
  inSources: readonly Advisory[],
  catalogued: readonly (Exploitation & Pick<Advisory, 'id'>)[] = [],
): Advisory[] {
  const united: Advisory[] = [];

  for (const group of groupByName([...inDefinition, ...inSources])) {
    const defined = group.filter((advisory) => inDefinition.includes(advisory));
    const statements = defined.length > 0 ? defined : group.toSorted(compareIds);
    const advisory = statements.reduce(uniteStatements);
    const names = group.flatMap(listNames);
    const aliases = names.filter((name) => name !== advisory.id);
    const entries = catalogued.filter(({ id }) => names.includes(id));
    united.push(
      dropUndefined({
        ...advisory,
        aliases: listDistinct(aliases.sort())?.slice(0, maxAliases),
        ...findExploitation([...group, ...entries]),
      }),
    );
  }

  return united.sort(compareIds);
}

/** Groups advisories that share a name, also by way of a third. */
function groupByName(advisories: readonly Advisory[]): ReadonlySet<readonly Advisory[]> {
  const byName = new Map<string, readonly Advisory[]>();

  for (const advisory of advisories) {
    const related = listNames(advisory).flatMap((name) => byName.get(name) ?? []);
    const group = [...new Set([...related, advisory])];
    for (const name of group.flatMap(listNames)) {
      byName.set(name, group);
    }
  }

  return new Set(byName.values());
}

/** The ids of an advisory in all databases. */
export function listNames({ id, aliases = [] }: Pick<Advisory, 'id' | 'aliases'>): string[] {
  return [id, ...aliases];
}

function compareIds(left: Advisory, right: Advisory): number {
  return oldestFirst(left.id, right.id);
}

/** A release is affected if either statement says so; other facts of the first take precedence. */
function uniteStatements(first: Advisory, second: Advisory): Advisory {
  const both = [first, second];
  const ranges = new Set(both.flatMap(({ affected }) => affected.split(/\s*\|\|\s*/)));
  const range = ranges.has('*') ? '*' : [...ranges].join(' || ');
  return dropUndefined({
    ...second,
    ...first,
    // A range that is too long for the schema becomes the range of all versions.
    affected: Advisory.shape.affected.safeParse(range).data ?? '*',
    fixed: listDistinct(both.flatMap(({ fixed = [] }) => fixed))?.slice(0, maxFixed),
    severity: findGreatestSeverity(both),
  });
}

/** The earliest days: no other statement puts them off. */
function findExploitation(facts: readonly Exploitation[]): Exploitation {
  return {
    exploitedSince: findEarliestDay(...facts.map(({ exploitedSince }) => exploitedSince)),
    dueBy: findEarliestDay(...facts.map(({ dueBy }) => dueBy)),
  };
}

export function findGreatestSeverity(advisories: readonly Advisory[]): Severity | undefined {
  return severities.findLast((severity) =>
    advisories.some((advisory) => advisory.severity === severity),
  );
}

/** Finds the advisories on a version. `trusted`: those whose fixes are trusted, before they were united. */
export function createSecurityFinder(
  united: readonly Advisory[],
  trusted: readonly Advisory[],
): (version: Version) => Security {
  const rules = united.map((advisory) => ({
    advisory,
    // The schema has parsed it.
    affected: parseVersionRange(advisory.affected)!,
    fixed: listRanks(advisory.fixed),
  }));
  const trustedFixes = listRanks(trusted.flatMap(({ fixed = [] }) => fixed));

  return (version) => {
    const rank = rankKey(shorten(version));
    const advisories: Advisory[] = [];
    const fixes: Advisory[] = [];
    for (const { advisory, affected, fixed } of rules) {
      if (isInRange(affected, version)) {
        advisories.push(advisory);
      }
      if (fixed.has(rank)) {
        fixes.push(advisory);
      }
    }

    advisories.sort((a, b) => Number(!a.exploitedSince) - Number(!b.exploitedSince));
    return {
      advisories,
      isVulnerable: advisories.length > 0,
      fixes,
      isTrustedFix: trustedFixes.has(rank),
      ...findExploitation(advisories),
    };
  };
}

/** Keys of the ranks of versions; `X.Y.0` has that of `X.Y`. */
function listRanks(versions: readonly string[] = []): ReadonlySet<string> {
  const ranks = new Set<string>();
  for (const text of versions) {
    const version = parseVersion(text);
    if (version) {
      ranks.add(rankKey(shorten(version)));
    }
  }
  return ranks;
}

/** `exploited since 2026-11-03; high; fixed in 2026.2.1`. `noFix`: what to say without a fixed version. */
export function describeAdvisory(
  { severity, fixed, ...facts }: Advisory,
  noFix = 'no fixed version is known',
): string {
  const remedy = fixed ? `fixed in ${formatList(fixed, 3)}` : noFix;
  return [describeExploitation(facts), severity, remedy].filter(Boolean).join('; ');
}

/** Up to two sentences on the security of a release. */
export function describeSecurity({
  advisories,
  fixes,
}: Pick<Security, 'advisories' | 'fixes'>): string[] {
  const affected = advisories.map((advisory) => `${advisory.id} (${describeAdvisory(advisory)})`);
  const fixed = fixes.map(({ id }) => id);
  const sentences = [
    affected.length > 0 ? `Vulnerable: ${formatList(affected, 3)}.` : '',
    fixed.length > 0 ? `Fixes ${formatList(fixed, 3)}.` : '',
  ];
  return sentences.filter(Boolean);
}
