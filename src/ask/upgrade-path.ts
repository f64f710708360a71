import type { DetailsFile } from '../core/schemas/published/details-file.ts';
import { counted } from '../core/text.ts';
import { compareVersions, parseVersion } from '../core/version.ts';

/** The way from a release to what to move to. */
export interface Way {
  /** Absent where there is nothing to move to, or no need to. */
  readonly moveTo?: { readonly component: string; readonly version: string | undefined } | undefined;
  /** The wanted release, else the one to move to; absent where it is none of this component. */
  readonly goal?: Movable | undefined;
  /** Between the release and the goal; oldest first, without prereleases. */
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

interface Wanted {
  /** The latest version of what replaces the component. */
  readonly latestOfReplacement?: string | undefined;
  /** A version that somebody could move to, whatever is recommended; if somebody wants one. */
  readonly target?: string | undefined;
}

/**
 * What to move to: the latest of the same line, else the component's latest; where all is deprecated, what replaces the
 * component. Nothing where nothing newer is better than the release.
 */
export function upgradePath(
  release: Movable,
  { component, replacedBy, releases }: MovableComponent,
  { latestOfReplacement, target }: Wanted,
): Way {
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
    return way(
      `Move ${isAhead ? '' : 'back '}to ${version}, ${what}, with ${count} between${ofThem}.`,
      { component, version },
      best,
    );
  }
  if (!best && replacedBy !== undefined) {
    const version = latestOfReplacement === undefined ? '' : ` ${latestOfReplacement}`;
    return way(`Move to ${replacedBy}${version}, which takes the place of ${component}.`, {
      component: replacedBy,
      version: latestOfReplacement,
    });
  }
  if (isDeprecated)
    return way(`Nothing to move to: no stable release of ${component} is free of deprecation.`);
  const where = ofLine ? ' of its release line' : '';
  return way(`No need to move: no newer release${where} is stable and not deprecated.`);

  function way(move: string, moveTo?: Way['moveTo'], recommended?: Movable): Way {
    const goal = target ? findRelease(releases, target) : recommended;
    return { moveTo, goal, between: releasesBetween(goal), move };
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
