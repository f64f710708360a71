import { parseVersion } from '../../../core/model/version.ts';
import type { ComponentSummary } from '../../../decide/component.ts';

type Upgraded = Pick<ComponentSummary, 'definition' | 'upgradeBounds'>;

/** The number of a version in the order of its first three digit groups, as JSONata computes it. */
function rankVersion(text: string): number {
  const [major = 0, minor = 0, patch = 0] = parseVersion(text)!.groups.map(Number);
  return (major * 1e6 + minor) * 1e6 + patch;
}

/** A JSONata condition. `all`: conditions on `$own`, the rank of the present version. */
function onOwnRank(...all: (string | undefined)[]): string {
  const rank =
    '($g := $map($match($string(currentVersion ? currentVersion : currentValue), /\\d+/).match, $number); (($g[0] ? $g[0] : 0) * 1000000 + ($g[1] ? $g[1] : 0)) * 1000000 + ($g[2] ? $g[2] : 0))';
  return `($own := ${rank}; ${all.filter(Boolean).join(' and ')})`;
}

/** Rules that upgrade to the next stop first. */
export function upgradeRules({ upgradeBounds }: Upgraded): object[] {
  return upgradeBounds.map(({ from, below, to }) => ({
    matchJsonata: [
      onOwnRank(
        from === undefined ? undefined : `$own >= ${rankVersion(from)}`,
        `$own < ${rankVersion(below)}`,
      ),
    ],
    allowedVersions: `<=${to.version.replace(/^v/i, '')}`,
    // The transform of the datasource removes all other deprecated releases.
    ignoreDeprecated: to.isDeprecated ? false : undefined,
  }));
}

/** A condition that keeps deprecated stops. Identifies a component by the two addresses in its release file. */
export function deprecatedStops(components: readonly Upgraded[]): string {
  return components
    .map(({ definition: { homepage, changelogUrl }, upgradeBounds }) => {
      const versions = upgradeBounds
        .filter(({ to }) => to.isDeprecated)
        .map(({ to }) => to.version);
      if (versions.length === 0) {
        return '';
      }

      const [home, log] = [homepage, changelogUrl].map((text) => JSON.stringify(text));
      return ` or ($$.homepage = ${home} and $$.changelogUrl = ${log} and version in ${JSON.stringify([...new Set(versions)])})`;
    })
    .join('');
}
