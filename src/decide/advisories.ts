/** The advisories on a component and on its releases, and their words. */
import { findEarliestDay, oldestFirst } from '../core/model/dates.ts';
import { dropUndefined, listDistinct } from '../core/model/objects.ts';
import { isInRange, parseVersionRange } from '../core/model/version-range.ts';
import { parseVersion, rankKey, shorten, type Version } from '../core/model/version.ts';
import { describeExploitation } from '../core/model/words.ts';
import {
  Advisory,
  maxAdvisoryAliases,
  maxFixedVersions,
  severities,
  type Exploitation,
} from '../core/schemas/advisory.ts';
import { formatList } from '../core/text/wording.ts';

/** The advisories on a release. */
export type Security = ReturnType<ReturnType<typeof createSecurityFinder>>;

/**
 * The advisories of a definition and its sources, by id. Those that share an id or an alias become one advisory: the definition
 * takes precedence, except for aliases and exploitation, which all of them state. `recorded`: advisories and entries of catalogues
 * whose days of exploitation are taken over.
 */
export function uniteAdvisories(
  inDefinition: readonly Advisory[],
  inSources: readonly Advisory[],
  recorded: readonly (Exploitation & Pick<Advisory, 'id'>)[] = [],
): Advisory[] {
  const united: Advisory[] = [];

  for (const group of groupBySharedId([...inDefinition, ...inSources])) {
    const defined = group.filter((advisory) => inDefinition.includes(advisory));
    const statements = defined.length > 0 ? defined : group.toSorted(compareIds);
    const advisory = statements.reduce(uniteStatements);

    const ids = group.flatMap(listIds);
    const aliases = ids.filter((id) => id !== advisory.id).sort();
    const entries = recorded.filter(({ id }) => ids.includes(id));

    united.push(
      dropUndefined({
        ...advisory,
        aliases: listDistinct(aliases)?.slice(0, maxAdvisoryAliases),
        ...findExploitation([...group, ...entries]),
      }),
    );
  }

  return united.sort(compareIds);
}

/** Groups advisories that share an id, also by way of a third. */
function groupBySharedId(advisories: readonly Advisory[]): ReadonlySet<readonly Advisory[]> {
  const groupsById = new Map<string, readonly Advisory[]>();

  for (const advisory of advisories) {
    const related = listIds(advisory).flatMap((id) => groupsById.get(id) ?? []);
    const group = [...new Set([...related, advisory])];

    // All ids of the joined groups get the new group, so none keeps an old one.
    for (const id of group.flatMap(listIds)) {
      groupsById.set(id, group);
    }
  }

  return new Set(groupsById.values());
}

/** The ids of an advisory in all databases. */
export function listIds({ id, aliases = [] }: Pick<Advisory, 'id' | 'aliases'>): string[] {
  return [id, ...aliases];
}

function compareIds(left: Advisory, right: Advisory): number {
  return oldestFirst(left.id, right.id);
}

/**
 * A release is affected, or fixed, if either statement says so, and the greater severity counts. The first takes precedence for
 * all else.
 */
function uniteStatements(first: Advisory, second: Advisory): Advisory {
  const both = [first, second];
  const alternatives = both.flatMap(({ affected }) => affected.split('||'));
  const ranges = new Set(alternatives.map((alternative) => alternative.trim()));
  const range = ranges.has('*') ? '*' : [...ranges].join(' || ');

  return dropUndefined({
    ...second,
    ...first,
    // A range that is too long for the schema becomes the range of all versions.
    affected: Advisory.shape.affected.safeParse(range).data ?? '*',
    fixed: listDistinct(both.flatMap(({ fixed = [] }) => fixed))?.slice(0, maxFixedVersions),
    severity: findGreatestSeverity(both),
  });
}

/** The earliest days: no other statement puts them off. */
function findExploitation(facts: readonly Exploitation[]): Exploitation {
  return {
    exploitedSince: findEarliestDay(facts.map(({ exploitedSince }) => exploitedSince)),
    dueBy: findEarliestDay(facts.map(({ dueBy }) => dueBy)),
  };
}

export function findGreatestSeverity(advisories: readonly Advisory[]): Advisory['severity'] {
  return severities.findLast((severity) =>
    advisories.some((advisory) => advisory.severity === severity),
  );
}

/**
 * Returns a function that finds the advisories on a version. `trusted`: the advisories whose fixes are trusted, before they were
 * united.
 */
export function createSecurityFinder(united: readonly Advisory[], trusted: readonly Advisory[]) {
  const rules = united.map((advisory) => ({
    advisory,
    // The schema has parsed it.
    affected: parseVersionRange(advisory.affected)!,
    fixed: listRanks(advisory.fixed),
  }));
  const trustedFixes = listRanks(trusted.flatMap(({ fixed = [] }) => fixed));

  return (version: Version) => {
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
      /** The advisories that affect it, the exploited ones first. */
      advisories,
      isVulnerable: advisories.length > 0,
      /** The advisories that it fixes. */
      fixes,
      /** The definition or a trusted source calls it a fix. */
      isTrustedFix: trustedFixes.has(rank),
      ...findExploitation(advisories),
    };
  };
}

/** Keys of the ranks of versions; `X.Y.0` has that of `X.Y`. */
export function listRanks(versions: readonly string[] = []): ReadonlySet<string> {
  const ranks = new Set<string>();
  for (const text of versions) {
    const version = parseVersion(text);
    if (version) {
      ranks.add(rankKey(shorten(version)));
    }
  }
  return ranks;
}

/** Up to two sentences on the security of a release. */
export function describeSecurity({
  advisories,
  fixes,
}: Pick<Security, 'advisories' | 'fixes'>): string[] {
  const sentences: string[] = [];

  if (advisories.length > 0) {
    const affecting = advisories.map(
      (advisory) => `${advisory.id} (${describeAdvisory(advisory)})`,
    );
    sentences.push(`Vulnerable: ${formatList(affecting, 3)}.`);
  }
  if (fixes.length > 0) {
    const ids = fixes.map(({ id }) => id);
    sentences.push(`Fixes ${formatList(ids, 3)}.`);
  }

  return sentences;
}

/** `exploited since 2026-11-03; high; fixed in 2026.2.1` */
export function describeAdvisory(advisory: Advisory): string {
  const facts = describeKnownFacts(advisory);
  return advisory.fixed ? facts : joinFacts(facts, 'no fixed version is known');
}

/** For a text that must stay true: without "no fixed version is known". Empty if the advisory states no facts. */
export function describeKnownFacts(advisory: Advisory): string {
  const { severity, fixed } = advisory;
  const remedy = fixed && `fixed in ${formatList(fixed, 3)}`;
  return joinFacts(describeExploitation(advisory), severity, remedy);
}

function joinFacts(...facts: readonly (string | undefined)[]): string {
  return facts.filter(Boolean).join('; ');
}
