import { counted } from '../text.ts';

/** What one has to know of a component; both a judged one and its `details/` give it. */
export interface Movable<Release extends MovableRelease = MovableRelease> {
  readonly name: string;
  /** Oldest first. */
  readonly releases: readonly Release[];
  /** The component that takes its place, and the latest version of that, where there is one. */
  readonly replacement?: { readonly name: string; readonly version?: string };
}

export interface MovableRelease {
  readonly version: string;
  readonly line: string;
  readonly isDeprecated: boolean;
  readonly isPrerelease: boolean;
}

/** Where to go from a release. */
export interface Move {
  readonly component: string;
  /** Absent where nothing of the other component can be recommended. */
  readonly version?: string;
}

/**
 * What to move to: the latest of the same line, else the component's latest; where all is deprecated, what replaces the
 * component. Undefined where there is nothing to move to, or no need to: nothing newer is better than the release.
 */
export function moveFrom(component: Movable, release: MovableRelease): Move | undefined {
  const usable = component.releases.filter(
    ({ isDeprecated, isPrerelease }) => !isDeprecated && !isPrerelease,
  );
  const target = usable.findLast(({ line }) => line === release.line) ?? usable.at(-1);
  if (target) {
    const isNewer = placeOf(component, target) > placeOf(component, release);
    if (!isNewer && !release.isDeprecated) return undefined;
    return { component: component.name, version: target.version };
  }
  if (!component.replacement) return undefined;
  const { name, version } = component.replacement;
  return { component: name, ...(version !== undefined && { version }) };
}

/** The releases between one and what to move to, oldest first, without prereleases. */
export function releasesBetween<Release extends MovableRelease>(
  component: Movable<Release>,
  release: MovableRelease,
  move: Move | undefined,
): Release[] {
  const target = component.releases.find(({ version }) => version === move?.version);
  if (!target || move?.component !== component.name) return [];
  const [from, to] = [placeOf(component, release), placeOf(component, target)];
  return component.releases
    .slice(Math.min(from, to) + 1, Math.max(from, to))
    .filter(({ isPrerelease }) => !isPrerelease);
}

/** The same in a sentence. */
export function moveSentence(component: Movable, release: MovableRelease): string {
  const { name, releases } = component;
  const move = moveFrom(component, release);
  if (!move) {
    if (release.isDeprecated)
      return `Nothing to move to: no stable release of ${name} is free of deprecation.`;
    const ofLine = releases.some((other) => other.line === release.line && isUsable(other));
    const newer = ofLine ? 'no newer release of its release line' : 'no newer release';
    return `No need to move: ${newer} is stable and not deprecated.`;
  }
  if (move.component !== name) {
    const version = move.version === undefined ? '' : ` ${move.version}`;
    return `Move to ${move.component}${version}, which takes the place of ${name}.`;
  }
  const target = releases.find(({ version }) => version === move.version)!;
  const isBack = placeOf(component, target) < placeOf(component, release);
  const what = target.line === release.line ? 'the latest of its release line' : 'the latest version';
  const between = releasesBetween(component, release, move);
  const deprecated = between.filter(({ isDeprecated }) => isDeprecated).length;
  const ofThem = deprecated === 0 ? '' : ` (${deprecated} deprecated)`;
  const count = between.length === 0 ? 'no release' : counted(between.length, 'release');
  return `Move ${isBack ? 'back ' : ''}to ${target.version}, ${what}, with ${count} between${ofThem}.`;
}

function isUsable({ isDeprecated, isPrerelease }: MovableRelease): boolean {
  return !isDeprecated && !isPrerelease;
}

function placeOf({ releases }: Movable, { version }: MovableRelease): number {
  return releases.findIndex((release) => release.version === version);
}
