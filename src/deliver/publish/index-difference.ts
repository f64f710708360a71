import type { z } from 'zod';
import { lenient } from '../../core/schemas/lenient.ts';
import { ReleaseFile } from '../../core/schemas/published/release-file.ts';
import { counted, listed } from '../../core/text.ts';
import { compareVersions, parseVersion } from '../../core/version.ts';

/** The part of `<component>.json` that is compared. A newer program may have made the live one. */
export const PublishedComponent = lenient(ReleaseFile.pick({ tags: true, releases: true }));
export type PublishedComponent = z.infer<typeof PublishedComponent>;
type PublishedRelease = PublishedComponent['releases'][number];

/** The components of a published site by name. */
export type PublishedIndex = ReadonlyMap<string, PublishedComponent>;

/** The differences between two states of one component: versions, each list in the order of its document. */
export interface ComponentDifference {
  component: string;
  kind: 'added' | 'removed' | 'changed';
  added: string[];
  removed: string[];
  deprecated: string[];
  supportedAgain: string[];
  /** Their day is another, or the first that is known. */
  redated: string[];
  /** Their link is another. */
  relinked: string[];
  latest?: { from: string | undefined; to: string | undefined };
  /** A smaller version, or none, is the latest, although the former one is not deprecated. */
  isLatestWrong?: true;
}

/** Alphabetical; components without a difference are left out. */
export function compareIndexes(before: PublishedIndex, after: PublishedIndex): ComponentDifference[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names
    .map((name) => compareComponents(name, before.get(name), after.get(name)))
    .filter((difference) => difference.kind !== 'changed' || describeDifference(difference).length > 0);
}

function compareComponents(
  component: string,
  before: PublishedComponent | undefined,
  after: PublishedComponent | undefined,
): ComponentDifference {
  const old = new Map(before?.releases.map((release) => [release.version, release]));
  const now = new Map(after?.releases.map((release) => [release.version, release]));
  const [from, to] = [before?.tags?.latest, after?.tags?.latest];
  const kept = (differs: (was: PublishedRelease, is: PublishedRelease) => boolean) =>
    [...now.keys()].filter((version) => old.has(version) && differs(old.get(version)!, now.get(version)!));
  return {
    component,
    kind: !before ? 'added' : after ? 'changed' : 'removed',
    added: [...now.keys()].filter((version) => !old.has(version)),
    removed: [...old.keys()].filter((version) => !now.has(version)),
    deprecated: kept((was, is) => is.isDeprecated === true && was.isDeprecated !== true),
    supportedAgain: kept((was, is) => was.isDeprecated === true && is.isDeprecated !== true),
    redated: kept((was, is) => was.releaseTimestamp !== is.releaseTimestamp),
    relinked: kept((was, is) => was.changelogUrl !== is.changelogUrl),
    ...(from !== to && { latest: { from, to } }),
    ...(from !== undefined &&
      isBackwards(from, to) &&
      now.get(from)?.isDeprecated !== true && { isLatestWrong: true }),
  };
}

function isBackwards(from: string, to: string | undefined): boolean {
  if (from === to) return false;
  const [old, now] = [parseVersion(from), to === undefined ? undefined : parseVersion(to)];
  return !old || !now || compareVersions(now, old) < 0;
}

const namedAtMost = 12;

/** One line for each thing that changed, for a person. */
export function describeDifference(difference: ComponentDifference): string[] {
  const { kind, added, removed, deprecated, supportedAgain, redated, relinked, latest } = difference;
  if (kind === 'added') {
    const newest = latest?.to === undefined ? '' : `, latest ${latest.to}`;
    return [`new component with ${counted(added.length, 'release')}${newest}`];
  }
  if (kind === 'removed') return [`no longer there, with its ${counted(removed.length, 'release')}`];
  const lines = Object.entries({
    new: added,
    gone: removed,
    'deprecated now': deprecated,
    'no longer deprecated': supportedAgain,
    'another day': redated,
    'another link': relinked,
  }).flatMap(([what, versions]) =>
    versions.length === 0 ? [] : `${what}: ${listed(versions, namedAtMost)}`,
  );
  if (!latest) return lines;
  const warning = difference.isLatestWrong ? ', although it is not deprecated' : '';
  return [...lines, `latest: ${latest.to ?? 'none'} instead of ${latest.from ?? 'none'}${warning}`];
}
