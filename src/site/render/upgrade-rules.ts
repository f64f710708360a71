import { compareToBound } from '../../core/version-range.ts';
import { parseVersion } from '../../core/version.ts';
import { sentence } from '../../core/text.ts';
import type { ComponentSummary } from '../../decide/component.ts';

type Upgraded = Pick<ComponentSummary, 'definition' | 'upgradeBounds'>;

/** The number of a version in the order of its first three digit groups, as JSONata computes it. */
function rankOf(text: string): number {
  const [major = 0, minor = 0, patch = 0] = parseVersion(text)!.groups.map(Number);
  return (major * 1e6 + minor) * 1e6 + patch;
}

/** A JSONata condition. `all`: conditions on `$own` and `$new`, the ranks of the present and the new version. */
function onRanks(...all: (string | undefined)[]): string {
  const rank = (value: string) =>
    `($g := $map($match(${value}, /\\d+/).match, $number); (($g[0] ? $g[0] : 0) * 1000000 + ($g[1] ? $g[1] : 0)) * 1000000 + ($g[2] ? $g[2] : 0))`;
  const known = `$own := ${rank('$string(currentVersion ? currentVersion : currentValue)')}; $new := newVersion ? ${rank('newVersion')} : 0`;
  return `(${known}; ${all.filter(Boolean).join(' and ')})`;
}

/** Rules that upgrade to the next stop first, with notes about steps and about work to finish before. */
export function upgradeRules({ definition, upgradeBounds }: Upgraded): object[] {
  const { upgradeStops = [], upgradeNotes = [] } = definition;
  const bounds = upgradeBounds.map(({ from, below, to }) => ({
    matchJsonata: [
      onRanks(
        from === undefined ? undefined : `$own >= ${rankOf(from)}`,
        `$own < ${rankOf(below)}`,
      ),
    ],
    allowedVersions: `<=${to.version.replace(/^v/i, '')}`,
    // The transform of the datasource removes all other deprecated releases.
    ignoreDeprecated: to.isDeprecated ? false : undefined,
  }));
  const ordered = upgradeStops
    .map((stop) => ({ ...stop, version: parseVersion(stop.at)! }))
    .sort((a, b) => compareToBound(a.version, b.version));
  const waits = ordered.flatMap(({ version, finish }, index) => {
    if (finish === undefined) {
      return [];
    }
    const next = ordered[index + 1]?.at;
    const upTo = next === undefined ? undefined : `$own < ${rankOf(next)}`;
    // Matches the upgrade that leaves the line of the stop.
    const line = version.groups.slice(0, 2).join('.');
    const leaves = `$floor($new / 1000000) > ${rankOf(line) / 1e6}`;
    return {
      matchJsonata: [onRanks(`$own >= ${rankOf(line)}`, upTo, leaves)],
      prBodyNotes: [`**Merge this once ${sentence(finish)}**`],
    };
  });
  const notes = upgradeNotes.map(({ at, text, url }) => ({
    matchJsonata: [onRanks(`$own < ${rankOf(at)}`, `$new >= ${rankOf(at)}`)],
    prBodyNotes: [`For ${at}: ${plain(sentence(text))}${url === undefined ? '' : ` ${url}`}`],
  }));
  return [
    ...bounds,
    ...waits.map((rule) => ({ ...rule, prBodyNotes: rule.prBodyNotes.map(plain) })),
    ...notes,
  ];
}

/** Braces begin a template of Renovate. */
function plain(text: string): string {
  return text.replaceAll(/[{}]/g, '');
}

/** A condition that keeps deprecated stops. Identifies a component by the two addresses in its release file. */
export function deprecatedStops(components: readonly Upgraded[]): string {
  return components
    .flatMap(({ definition: { homepage, changelogUrl }, upgradeBounds }) => {
      const versions = upgradeBounds.flatMap(({ to }) => (to.isDeprecated ? [to.version] : []));
      if (versions.length === 0) {
        return [];
      }
      const [home, log] = [homepage, changelogUrl].map((text) => JSON.stringify(text));
      return ` or ($$.homepage = ${home} and $$.changelogUrl = ${log} and version in ${JSON.stringify([...new Set(versions)])})`;
    })
    .join('');
}
