import type { DetailsFile } from '../model/published/details-file.ts';
import { counted, defined } from '../text.ts';

/** Where to go from a release. */
export interface Move {
  readonly component: string;
  /** Absent where nothing of the other component can be recommended. */
  readonly version?: string;
}

/** The way from a release to what to move to. */
export interface Way {
  /** Absent where there is nothing to move to, or no need to. */
  readonly moveTo?: Move;
  /** Between the release and the goal, or what to move to; oldest first, without prereleases. */
  readonly releasesBetween: readonly {
    readonly version: string;
    readonly isDeprecated: boolean;
    readonly changelogUrl?: string;
  }[];
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
  /** A release that somebody could move to, whatever is recommended. */
  readonly goal?: Movable | undefined;
}

/**
 * What to move to: the latest of the same line, else the component's latest; where all is deprecated, what replaces the
 * component. Nothing where nothing newer is better than the release.
 */
export function wayFrom(
  release: Movable,
  { component, replacedBy, releases }: MovableComponent,
  { latestOfReplacement, goal }: Wanted,
): Way {
  const usable = releases.filter(({ isDeprecated, isPrerelease }) => !isDeprecated && !isPrerelease);
  const ofLine = usable.findLast(({ line }) => line === release.line);
  const target = ofLine ?? usable.at(-1);
  const isAhead = target && releases.indexOf(target) > releases.indexOf(release);
  const { isDeprecated } = release;

  if (target && (isAhead || isDeprecated)) {
    const { version } = target;
    const between = releasesBetween(target);
    const deprecated = between.filter(({ isDeprecated }) => isDeprecated).length;
    const what = ofLine ? 'the latest of its release line' : 'the latest version';
    const count = between[0] ? counted(between.length, 'release') : 'no release';
    const ofThem = deprecated ? ` (${deprecated} deprecated)` : '';
    return way(
      `Move ${isAhead ? '' : 'back '}to ${version}, ${what}, with ${count} between${ofThem}.`,
      { component, version },
      target,
    );
  }
  if (!target && replacedBy !== undefined) {
    const version = latestOfReplacement === undefined ? '' : ` ${latestOfReplacement}`;
    return way(
      `Move to ${replacedBy}${version}, which takes the place of ${component}.`,
      defined({ component: replacedBy, version: latestOfReplacement }),
    );
  }
  if (isDeprecated)
    return way(`Nothing to move to: no stable release of ${component} is free of deprecation.`);
  const newer = `no newer release${ofLine ? ' of its release line' : ''}`;
  return way(`No need to move: ${newer} is stable and not deprecated.`);

  function way(move: string, moveTo?: Move, recommended?: Movable): Way {
    const between = releasesBetween(goal ?? recommended);
    return defined({
      moveTo,
      releasesBetween: between.map(({ version, isDeprecated, changelogUrl }) =>
        defined({ version, isDeprecated, changelogUrl }),
      ),
      move,
    });
  }

  function releasesBetween(other: Movable | undefined): Movable[] {
    if (!other) return [];
    const places = [releases.indexOf(release), releases.indexOf(other)];
    const between = releases.slice(Math.min(...places) + 1, Math.max(...places));
    return between.filter(({ isPrerelease }) => !isPrerelease);
  }
}
