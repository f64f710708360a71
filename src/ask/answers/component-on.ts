import type { Day } from '../../core/model/dates.ts';
import { isCommitId } from '../../core/model/digest.ts';
import { keepByObject } from '../../core/model/objects.ts';
import { computeStates } from '../../core/model/states.ts';
import type { Catalogue } from '../../core/query/selection.ts';
import { listRows, addUsualValues } from '../../core/query/rows.ts';
import type { DetailsFile, PublishedRelease } from '../../core/schemas/published/details-file.ts';
import type { ComponentStatus } from '../../core/schemas/published/status-file.ts';

type Release = Omit<PublishedRelease, 'isPrerelease'> & {
  readonly isPrerelease: boolean;
};

/** A component with its states on a day. */
export type DetailsOn = ReturnType<typeof computeDetailsOn>;
/** A published release with its state on a day. */
export type PublishedReleaseOn = DetailsOn['releases'][number];
export type PublishedLineOn = DetailsOn['lines'][number];

/** Adds the states on a day to the facts in the `details/` document of a component. */
export function computeDetailsOn(
  { onBuildDay: _, isSeenWhenReleased, sources, ...details }: DetailsFile,
  day: Day,
) {
  const releases = details.releases.map((release): Release => ({
    ...addUsualValues(release, { isSeenWhenReleased }),
    sources: release.sources ?? sources,
  }));
  const byLine = Map.groupBy(releases, ({ line }) => line);
  const lines = details.lines.map((line) => ({ ...line, releases: byLine.get(line.line) ?? [] }));
  return { ...details, ...computeStates<(typeof lines)[number], Release>(lines, day) };
}

/** The releases of a component as query rows. */
export function listDetailRows(
  details: DetailsOn,
  freshness?: ComponentStatus['state'],
): Catalogue {
  return listRows({ ...details, policy: details.support.policy, freshness });
}

/** `supported/<component>.json`: the latest release of each line that is certainly supported, oldest first. */
export function listSupportedVersions({ lines }: Pick<DetailsOn, 'lines'>): string[] {
  return lines
    .filter(({ isSupported }) => isSupported)
    .map(findLatest)
    .filter((version) => version !== undefined);
}

/** The version of the latest release of a line, if it has one. */
export function findLatest({ releases }: PublishedLineOn): string | undefined {
  return releases.findLast(({ isLatestOfLine }) => isLatestOfLine)?.version;
}

/** The digests of a release with their sources, but without the ids of commits. */
export function listDigests({
  digests = {},
}: PublishedReleaseOn): [source: string, digest: string][] {
  const pairs: [string, string][] = [];
  for (const [source, artifacts] of Object.entries(digests)) {
    for (const digest of Object.values(artifacts).flatMap((texts) => texts.split(' '))) {
      if (!isCommitId(source, digest)) {
        pairs.push([source, digest]);
      }
    }
  }
  return pairs;
}

/** The table of the digests of releases, made once: a text may have thousands of digests. */
const openDigests = /* @__PURE__ */ keepByObject((releases: readonly PublishedReleaseOn[]) => {
  const byDigest = new Map<string, PublishedReleaseOn>();
  for (const release of releases.toReversed()) {
    for (const [, digest] of listDigests(release)) {
      byDigest.set(digest, release);
    }
  }
  return byDigest;
});

/** The oldest release with an artifact of a digest. */
export function findByDigest(
  releases: readonly PublishedReleaseOn[],
  digest: string,
): PublishedReleaseOn | undefined {
  return openDigests(releases).get(digest);
}
