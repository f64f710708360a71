import type { DetailsFile } from '../core/schemas/published/details-file.ts';
import { counted } from '../core/text.ts';
import { compareVersions, parseVersion } from '../core/version.ts';

/** From a release to what to move to. */
export interface UpgradePath {
  /** Absent where there is nothing to move to, or no need to. */
  readonly moveTo?: { readonly component: string; readonly version: string | undefined } | undefined;
  /** The wanted release, else the one to move to; absent where it is not a release of this component. */
  readonly target?: Movable | undefined;
  /** Between the release and the target; oldest first, without prereleases. */
  readonly between: readonly Movable[];
  /** What to move to, in a sentence. */
  readonly move: string;
}

export type Movable = Pick<
  DetailsFile['releases'][number],
  'version' | 'line' | 'isDeprecated' | 'isPrerelease' | 'changelogUrl'
>;

export interface MovableComponent {
  readonly component: string;
  readonly replacedBy?: string | undefined;
  /** Oldest first. */
  readonly releases: readonly Movable[];
}

export interface UpgradeOptions {
  /** The latest version of the component that takes the place of this one, where there is any. */
  readonly latestOfReplacement?: string | undefined;
  /** A listed version that somebody could move to, whatever is recommended. */
  readonly wanted?: string | undefined;
}

/**
 * What to move to: the latest of the same line, else the component's latest; where all is deprecated, what replaces the
 * component. Nothing where nothing newer is better than the release.
 */
export function upgradePath(
  release: Movable,
  { component, replacedBy, releases }: MovableComponent,
  { latestOfReplacement, wanted }: UpgradeOptions,
): UpgradePath {
  const usable = releases.filter(({ isDeprecated, isPrerelease }) => !isDeprecated && !isPrerelease);
  const ofLine = usable.findLast(({ line }) => line === release.line);
  const best = ofLine ?? usable.at(-1);
  const isAhead = best && releases.indexOf(best) > releases.indexOf(release);
  const { isDeprecated } = release;

  if (best && (isAhead || isDeprecated)) {
    const { version } = best;
    const between = releasesBetween(best);
    const deprecated = between.filter(({ isDeprecated }) => isDeprecated).length;
    const what = ofLine ? 'the latest of its release line' : 'the latest version';
    const count = between[0] ? counted(between.length, 'release') : 'no release';
    const ofThem = deprecated ? ` (${deprecated} deprecated)` : '';
    return path(
      `Move ${isAhead ? '' : 'back '}to ${version}, ${what}, with ${count} between${ofThem}.`,
      { component, version },
      best,
    );
  }
  if (!best && replacedBy !== undefined) {
    const version = latestOfReplacement === undefined ? '' : ` ${latestOfReplacement}`;
    return path(`Move to ${replacedBy}${version}, which takes the place of ${component}.`, {
      component: replacedBy,
      version: latestOfReplacement,
    });
  }
  if (isDeprecated)
    return path(`Nothing to move to: no stable release of ${component} is free of deprecation.`);
  const where = ofLine ? ' of its release line' : '';
  return path(`No need to move: no newer release${where} is stable and not deprecated.`);

  function path(move: string, moveTo?: UpgradePath['moveTo'], recommended?: Movable): UpgradePath {
    const target = wanted ? findRelease(releases, wanted) : recommended;
    return { moveTo, target, between: releasesBetween(target), move };
  }

  function releasesBetween(other: Movable | undefined): Movable[] {
    if (!other) return [];
    const places = [releases.indexOf(release), releases.indexOf(other)];
    const between = releases.slice(Math.min(...places) + 1, Math.max(...places));
    return between.filter(({ isPrerelease }) => !isPrerelease);
  }
}

/** The release of a version: spelt like this, else one of equal rank, such as `2025.1` for `v2025.01`. */
export function findRelease<Release extends { readonly version: string }>(
  releases: readonly Release[],
  text: string,
): Release | undefined {
  const parsed = parseVersion(text);
  const isSame = ({ version }: Release) => compareVersions(parseVersion(version)!, parsed!) === 0;
  return releases.find(({ version }) => version === text) ?? (parsed && releases.find(isSame));
}
