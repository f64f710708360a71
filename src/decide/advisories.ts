import { oldestFirst } from '../core/model/dates.ts';
import { dropUndefined } from '../core/model/objects.ts';
import { isInRange, parseVersionRange } from '../core/model/version-range.ts';
import { parseVersion, rankKey, shorten, type Version } from '../core/model/version.ts';
import { Advisory, severities, type Exploitation } from '../core/schemas/recorded/recorded.ts';

type Severity = NonNullable<Advisory['severity']>;

/** An advisory as its source states it. */
export interface StatedAdvisory extends Advisory {
  /** Stated by the definition, or by a source that it marks as trusted. */
  readonly isTrusted?: boolean;
}

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

/**
 * The advisories of a definition and its sources, by id. Those that share an id or an alias are one. The definition takes precedence.
 * Statements of several sources are united: a release is affected if any source says so.
 * `exploitations`: the recorded advisories, also the entries of catalogues.
 */
export function uniteAdvisories(
  inDefinition: readonly Advisory[],
  recorded: readonly StatedAdvisory[],
  exploitations: readonly Omit<Advisory, 'affected'>[] = [],
): Advisory[] {
  const byName = new Map<string, readonly StatedAdvisory[]>();
  for (const advisory of [...inDefinition, ...recorded]) {
    const related = listNames(advisory).flatMap((name) => byName.get(name) ?? []);
    const group = [...new Set([...related, advisory])];
    for (const name of group.flatMap(listNames)) {
      byName.set(name, group);
    }
  }

  return Array.from(new Set(byName.values()), (group) => {
    const preferred = group.filter((advisory) => inDefinition.includes(advisory));
    const statements = preferred.length > 0 ? preferred : group.toSorted(compareIds);
    const { isTrusted: _, ...united } = statements.reduce(unite);
    const names = group.flatMap(listNames);
    const aliases = new Set(names.filter((name) => name !== united.id));
    const entries = exploitations.filter(({ id }) => names.includes(id));
    return dropUndefined({
      ...united,
      aliases: aliases.size > 0 ? [...aliases].sort() : undefined,
      ...findExploitation([...group, ...entries]),
    });
  }).sort(compareIds);
}

/** The earliest days: no other statement puts them off. */
function findExploitation(facts: readonly Exploitation[]): Exploitation {
  const findEarliest = (key: keyof Exploitation) => facts.map((each) => each[key]).sort()[0];
  return { exploitedSince: findEarliest('exploitedSince'), dueBy: findEarliest('dueBy') };
}

/** The ids of an advisory in all databases. */
export function listNames({ id, aliases = [] }: Pick<Advisory, 'id' | 'aliases'>): string[] {
  return [id, ...aliases];
}

function compareIds(left: Advisory, right: Advisory): number {
  return oldestFirst(left.id, right.id);
}

function unite(left: StatedAdvisory, right: StatedAdvisory): StatedAdvisory {
  const affected = new Set([left, right].flatMap((each) => each.affected.split(/\s*\|\|\s*/)));
  const joined = affected.has('*') ? '*' : [...affected].join(' || ');
  const fixed = [...new Set([left, right].flatMap((each) => each.fixed ?? []))];
  return dropUndefined({
    ...right,
    ...left,
    affected: Advisory.shape.affected.safeParse(joined).data ?? '*',
    fixed: fixed.length > 0 ? fixed : undefined,
    severity: findGreatestSeverity([left, right]),
  });
}

/** Finds the advisories on a version. `recorded`: the advisories of each source, before they were united. */
export function createSecurityFinder(
  united: readonly Advisory[],
  recorded: readonly StatedAdvisory[] = [],
): (version: Version) => Security {
  const rules = united.map((advisory) => ({
    advisory,
    affected: parseVersionRange(advisory.affected)!,
    fixed: listRanks(advisory.fixed),
  }));

  const trustedRanks = listRanks(
    recorded.filter(({ isTrusted }) => isTrusted).flatMap(({ fixed = [] }) => fixed),
  );
  const listAdvisories = (rulesThatApply: typeof rules) =>
    rulesThatApply.map(({ advisory }) => advisory);

  return (version) => {
    const rank = rankKey(shorten(version));
    const advisories = listAdvisories(
      rules.filter(({ affected }) => isInRange(affected, version)),
    ).sort((left, right) => Number(!left.exploitedSince) - Number(!right.exploitedSince));

    return {
      advisories,
      isVulnerable: advisories.length > 0,
      fixes: listAdvisories(rules.filter(({ fixed }) => fixed.has(rank))),
      isTrustedFix: trustedRanks.has(rank),
      ...findExploitation(advisories),
    };
  };
}

function listRanks(versions: readonly string[] = []): ReadonlySet<string> {
  return new Set(
    versions
      .map((text) => parseVersion(text))
      .filter((value) => value !== undefined)
      .map((version) => rankKey(shorten(version))),
  );
}

export function findGreatestSeverity(advisories: readonly Advisory[]): Severity | undefined {
  return severities.findLast((severity) =>
    advisories.some((advisory) => advisory.severity === severity),
  );
}
