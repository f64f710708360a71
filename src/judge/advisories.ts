import { findEarliest } from '../core/day.ts';
import { createVersionSearch, parseRange } from '../core/range.ts';
import { listIds, nameSources } from '../core/schema/names.ts';
import { severities, type Advisory, type Release } from '../core/schema/published.ts';
import type { RecordedAdvisory } from '../core/schema/recorded.ts';
import type { Definition } from '../core/schema/written.ts';
import { keyRelease, readVersion, type Version } from '../core/version.ts';

/** The facts about a release that come from advisories. */
export type Security = Pick<
  Release,
  'fixes' | 'isTrustedFix' | 'severity' | 'exploitedSince' | 'dueBy'
> & { readonly advisories: string[] };

/** Drops advisories that the definition ignores. */
export function listHeeded<T extends Pick<RecordedAdvisory, 'id' | 'aliases'>>(
  { ignoreAdvisories: ignored = [] }: Definition,
  recorded: readonly T[] = [],
): readonly T[] {
  return recorded.filter((advisory) => !listIds(advisory).some((id) => ignored.includes(id)));
}

/**
 * Merges the advisories of a definition and its sources. Advisories that share an id become one advisory. The returned function
 * `findSecurity` finds the security facts about a version. It accepts only elements of `versions`.
 */
export function judgeAdvisories(
  definition: Definition,
  allRecorded: readonly RecordedAdvisory[],
  versions: readonly Version[],
): { advisories: Advisory[]; findSecurity: (version: Version) => Security } {
  const { sources, advisories: own = [] } = definition;
  const recorded = listHeeded(definition, allRecorded);
  const named = nameSources(sources);
  // This map includes advisories from catalogues of exploited vulnerabilities, which have no `affected` range.
  const recordedById = Map.groupBy(recorded, ({ id }) => id);
  const stated = recorded.filter((each): each is RecordedAdvisory & { affected: string } => {
    return named.has(each.source) && each.affected !== undefined;
  });
  const advisories = groupById([...own, ...stated])
    .map((group) => uniteGroup(group, recordedById))
    .sort((a, b) => (a.id < b.id ? -1 : 1));

  const listInRange = createVersionSearch(versions);
  const affectingByVersion = new Map(versions.map((version) => [version, [] as Advisory[]]));
  const exploitedFirst = advisories.toSorted(
    (a, b) => Number(!a.exploitedSince) - Number(!b.exploitedSince),
  );
  for (const advisory of exploitedFirst) {
    // The schema has checked that `affected` is a range.
    for (const version of listInRange(parseRange(advisory.affected)!)) {
      affectingByVersion.get(version)!.push(advisory);
    }
  }
  const fixes = advisories.flatMap((advisory) =>
    Array.from(listFixedKeys([advisory]), (key) => ({ key, id: advisory.id })),
  );
  const fixesByKey = Map.groupBy(fixes, ({ key }) => key);
  const trusted = recorded.filter(({ source }) => named.get(source)?.trusted);
  const trustedFixes = listFixedKeys([...own, ...trusted]);
  const none: Security = { advisories: [], fixes: [] };
  const findSecurity = (version: Version): Security => {
    if (advisories.length + trustedFixes.size === 0) {
      return none;
    }

    const key = keyRelease(version);
    const affecting = affectingByVersion.get(version)!;
    return {
      advisories: affecting.map(({ id }) => id),
      fixes: (fixesByKey.get(key) ?? []).map(({ id }) => id),
      isTrustedFix: trustedFixes.has(key) || undefined,
      severity: findGreatestSeverity(affecting),
      ...findExploitation(affecting),
    };
  };
  return { advisories, findSecurity };
}

/** Lists the keys (see `keyRelease`) of the versions that fix advisories. */
function listFixedKeys(advisories: readonly Pick<Advisory, 'fixed'>[]): Set<string> {
  const versions = advisories.flatMap(({ fixed = [] }) => fixed);
  return new Set(versions.map((text) => keyRelease(readVersion(text))));
}

/** What a source or the definition says about an advisory. `source` is absent for the definition. */
type StatedAdvisory = Omit<RecordedAdvisory, 'source' | 'affected'> & {
  readonly source?: string;
  readonly affected: string;
};

/**
 * Groups the statements about the same advisory. Statements that share an id belong together. A statement with the ids A and B joins the
 * groups of A and B. Groups are in the order of their first statements.
 */
function groupById(statements: readonly StatedAdvisory[]): StatedAdvisory[][] {
  /** Maps each id to one id that stands for its group. */
  const leaders = new Map<string, string>();
  for (const statement of statements) {
    const ids = listIds(statement);
    const [leader = statement.id, ...others] = new Set(ids.flatMap((id) => leaders.get(id) ?? []));
    for (const [id, former] of others.length > 0 ? leaders : []) {
      leaders.set(id, others.includes(former) ? leader : former);
    }
    ids.forEach((id) => leaders.set(id, leader));
  }
  return [...Map.groupBy(statements, ({ id }) => leaders.get(id)).values()];
}

/**
 * Merges the statements about an advisory. If the definition contains the advisory, the sources only add aliases and dates of exploitation.
 * Otherwise, each source may add affected and fixed versions.
 */
function uniteGroup(
  group: readonly StatedAdvisory[],
  recordedById: ReadonlyMap<string, readonly RecordedAdvisory[]>,
): Advisory {
  const defined = group.filter(({ source }) => source === undefined);
  const statements = defined.length > 0 ? defined : group;
  // The first statement takes precedence.
  const { source: _, ...facts }: StatedAdvisory = Object.assign({}, ...statements.toReversed());
  const ids = [...new Set(group.flatMap(listIds))];
  const aliases = ids.filter((id) => id !== facts.id).sort();
  const affected = statements
    .flatMap((each) => each.affected.split('||'))
    .map((part) => part.trim());
  const fixed = [...new Set(statements.flatMap(({ fixed: versions = [] }) => versions))];
  const exploited = [...group, ...ids.flatMap((id) => recordedById.get(id) ?? [])];

  return {
    ...facts,
    affected: [...new Set(affected)].join(' || '),
    fixed: fixed.length > 0 ? fixed : undefined,
    severity: findGreatestSeverity(statements),
    aliases: aliases.length > 0 ? aliases : undefined,
    ...findExploitation(exploited),
  };
}

function findGreatestSeverity(
  statements: readonly Pick<Advisory, 'severity'>[],
): Advisory['severity'] {
  return severities.findLast((severity) => statements.some((each) => each.severity === severity));
}

/** Finds the earliest date of exploitation and the earliest due date. */
function findExploitation(statements: readonly Pick<Advisory, 'exploitedSince' | 'dueBy'>[]) {
  return {
    exploitedSince: findEarliest(statements.map(({ exploitedSince }) => exploitedSince)),
    dueBy: findEarliest(statements.map(({ dueBy }) => dueBy)),
  };
}
