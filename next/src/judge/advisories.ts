import { findEarliest } from '../core/day.ts';
import { isInRange, parseRange } from '../core/range.ts';
import { severities, type Advisory } from '../core/schema/advisory.ts';
import { type Definition } from '../core/schema/definition.ts';
import type { Recorded } from '../core/schema/recorded.ts';
import { nameSources } from '../core/schema/source-id.ts';
import { readVersion, releaseKey, type Version } from '../core/version.ts';

type RecordedAdvisory = NonNullable<Recorded['advisories']>[number];

/** What advisories say about a release. */
export interface Security {
  readonly advisories: string[];
  readonly fixes: string[];
  readonly isTrustedFix?: true;
  readonly severity?: Advisory['severity'];
  readonly exploitedSince?: string | undefined;
  readonly dueBy?: string | undefined;
}

/** The advisories of a definition and of its sources: those that share an id are one. */
export function uniteAdvisories(
  definition: Definition,
  recorded: readonly RecordedAdvisory[],
): Advisory[] {
  const own: Advisory[] = definition.advisories ?? [];
  const ids = new Set(nameSources(definition.sources));
  const fromSources = recorded
    .filter(({ source, affected }) => ids.has(source) && affected !== undefined)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));

  const groups: (Advisory | RecordedAdvisory)[][] = [];
  for (const advisory of [...own, ...fromSources]) {
    const related = groups.filter((group) => group.some((other) => shareId(advisory, other)));
    for (const group of related) {
      groups.splice(groups.indexOf(group), 1);
    }
    groups.push([...related.flat(), advisory]);
  }

  const united = groups.map((group) => uniteGroup(group, own, recorded));
  return united.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function listIds({ id, aliases = [] }: Pick<Advisory, 'id' | 'aliases'>): string[] {
  return [id, ...aliases];
}

function shareId(
  a: Pick<Advisory, 'id' | 'aliases'>,
  b: Pick<Advisory, 'id' | 'aliases'>,
): boolean {
  return listIds(a).some((id) => listIds(b).includes(id));
}

/** The definition takes precedence, except for aliases and exploitation. Of sources, each may name affected and fixed versions. */
function uniteGroup(
  group: readonly (Advisory | RecordedAdvisory)[],
  own: readonly Advisory[],
  recorded: readonly RecordedAdvisory[],
): Advisory {
  const defined = group.filter((advisory) => own.includes(advisory as Advisory));
  const statements = defined.length > 0 ? defined : group;
  const ids = [...new Set(group.flatMap(listIds))];
  // Also those of catalogues, which do not say what is affected.
  const exploited = [...group, ...recorded.filter(({ id }) => ids.includes(id))];
  const [{ source: _, ...first }] = statements as [RecordedAdvisory];
  const fixed = [...new Set(statements.flatMap(({ fixed: versions = [] }) => versions))];
  const aliases = ids.filter((id) => id !== first.id).sort();

  return {
    ...Object.assign({}, ...statements.toReversed(), first, { source: undefined }),
    affected: [
      ...new Set(statements.flatMap(({ affected = '*' }) => affected.split(/\s*\|\|\s*/))),
    ].join(' || '),
    fixed: fixed.length > 0 ? fixed : undefined,
    severity: severities.findLast((severity) =>
      statements.some((each) => each.severity === severity),
    ),
    aliases: aliases.length > 0 ? aliases : undefined,
    exploitedSince: findEarliest(exploited.map(({ exploitedSince }) => exploitedSince)),
    dueBy: findEarliest(exploited.map(({ dueBy }) => dueBy)),
  };
}

/** Finds what advisories say about a version. */
export function createSecurityFinder(
  advisories: readonly Advisory[],
  definition: Definition,
  recorded: readonly RecordedAdvisory[],
): (version: Version) => Security {
  const rules = advisories.map((advisory) => ({
    advisory,
    affected: parseRange(advisory.affected)!,
    fixed: listRanks(advisory.fixed),
  }));
  const trusted = new Set(
    nameSources(definition.sources).filter((_, position) => definition.sources[position]!.trusted),
  );
  const trustedFixes = new Set(
    [
      ...(definition.advisories ?? []),
      ...recorded.filter(({ source }) => trusted.has(source)),
    ].flatMap(({ fixed }) => [...listRanks(fixed)]),
  );

  return (version) => {
    if (rules.length === 0) {
      return { advisories: [], fixes: [] };
    }

    const rank = releaseKey(version);
    const affecting = rules
      .filter(({ affected }) => isInRange(affected, version))
      .map(({ advisory }) => advisory);
    affecting.sort((a, b) => Number(!a.exploitedSince) - Number(!b.exploitedSince));
    const severity = severities.findLast((each) =>
      affecting.some((advisory) => advisory.severity === each),
    );
    return {
      advisories: affecting.map(({ id }) => id),
      fixes: rules.filter(({ fixed }) => fixed.has(rank)).map(({ advisory }) => advisory.id),
      ...(trustedFixes.has(rank) && { isTrustedFix: true }),
      ...(severity && { severity }),
      exploitedSince: findEarliest(affecting.map(({ exploitedSince }) => exploitedSince)),
      dueBy: findEarliest(affecting.map(({ dueBy }) => dueBy)),
    };
  };
}

function listRanks(versions: readonly string[] = []): Set<string> {
  return new Set(versions.map((text) => releaseKey(readVersion(text))));
}
