import { compareVersions, parseVersion } from '../version.ts';
import type { PublishedComponent, PublishedIndex } from './published-index.ts';

/** What differs between two states of one component, each list in the order of the document it is from. */
export interface ComponentDifference {
  component: string;
  kind: 'added' | 'removed' | 'changed';
  /** Versions. */
  added: string[];
  removed: string[];
  deprecated: string[];
  supportedAgain: string[];
  /** Versions whose day or link is another. */
  corrected: string[];
  latest?: { from: string | undefined; to: string | undefined };
  /** The former latest is not deprecated now, and yet a smaller version, or none, is the latest. */
  isLatestBackwards: boolean;
}

const none: PublishedComponent = { releases: [] };

/** Alphabetical; components without a difference are left out. */
export function compareIndexes(before: PublishedIndex, after: PublishedIndex): ComponentDifference[] {
  const names = [...new Set([...Object.keys(before.components), ...Object.keys(after.components)])].sort();
  return names.flatMap((name) => {
    const [old, now] = [before.components[name], after.components[name]];
    const kind = !old ? 'added' : now ? 'changed' : 'removed';
    const difference = compareComponents(name, kind, old ?? none, now ?? none);
    return kind !== 'changed' || isDifferent(difference) ? [difference] : [];
  });
}

function compareComponents(
  component: string,
  kind: ComponentDifference['kind'],
  before: PublishedComponent,
  after: PublishedComponent,
): ComponentDifference {
  const old = new Map(before.releases.map((release) => [release.version, release]));
  const now = new Map(after.releases.map((release) => [release.version, release]));
  const both = after.releases.filter(({ version }) => old.has(version));
  const [from, to] = [before.tags?.latest, after.tags?.latest];
  return {
    component,
    kind,
    added: versions(after.releases.filter(({ version }) => !old.has(version))),
    removed: versions(before.releases.filter(({ version }) => !now.has(version))),
    deprecated: versions(both.filter((release) => isNewly(release, old.get(release.version)!))),
    supportedAgain: versions(both.filter((release) => isNewly(old.get(release.version)!, release))),
    corrected: versions(
      both.filter(({ version, releaseTimestamp, changelogUrl }) => {
        const known = old.get(version)!;
        return known.releaseTimestamp !== releaseTimestamp || known.changelogUrl !== changelogUrl;
      }),
    ),
    ...(from !== to && { latest: { from, to } }),
    isLatestBackwards: from !== undefined && isBackwards(from, to, now.get(from)),
  };
}

function versions(releases: readonly { version: string }[]): string[] {
  return releases.map(({ version }) => version);
}

function isNewly(
  release: PublishedComponent['releases'][number],
  than: PublishedComponent['releases'][number],
): boolean {
  return release.isDeprecated === true && than.isDeprecated !== true;
}

function isBackwards(
  from: string,
  to: string | undefined,
  former: PublishedComponent['releases'][number] | undefined,
): boolean {
  if (from === to || former?.isDeprecated === true) return false;
  const [old, now] = [parseVersion(from), to === undefined ? undefined : parseVersion(to)];
  return !old || !now || compareVersions(now, old) < 0;
}

function isDifferent({
  added,
  removed,
  deprecated,
  supportedAgain,
  corrected,
  latest,
}: ComponentDifference): boolean {
  return (
    latest !== undefined ||
    [added, removed, deprecated, supportedAgain, corrected].some((list) => list.length > 0)
  );
}
