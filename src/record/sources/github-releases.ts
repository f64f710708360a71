import { z } from 'zod';
import { elementsOf, readElements, readJson, statedDigests } from './elements.ts';
import {
  githubApiUrl,
  githubCoordinates,
  githubConditions,
  describeRepository,
  fetchRepositoryList,
} from './github-api.ts';
import { defineSource, type SourceRelease } from './source.ts';

const Releases = z.array(z.unknown());

/** docs.github.com/rest/releases/releases. `created_at` is the day of the commit, which can lie long before the release. */
const Release = z.object({
  published_at: z.string().nullish(),
  html_url: z.string().nullish(),
  draft: z.boolean().nullish(),
  prerelease: z.boolean().nullish(),
  /** Assets that are older than GitHub's digests state none. */
  assets: z
    .array(z.object({ name: z.string(), digest: z.string().nullish() }))
    .optional()
    .catch(undefined),
});

export const githubReleases = defineSource({
  datasource: 'github-releases',
  purlType: 'github',
  defaultRegistry: githubApiUrl,
  coordinates: githubCoordinates,
  timestamps: '`published_at`',
  renovate: githubConditions,
  describe: describeRepository,
  async gather(source, context) {
    const pages = await fetchRepositoryList(source, 'releases', context);
    const listed = elementsOf(
      pages.flatMap((page) => readJson(page, Releases)),
      'tag_name',
    );

    const releases: SourceRelease[] = [];
    for (const { name, value } of readElements(pages[0]!.url, listed, Release, context)) {
      if (value.draft) continue;
      // An unset mark is no statement: many forget to set it.
      const isPrerelease = value.prerelease ? true : undefined;
      const version = context.offer(name, isPrerelease);
      if (version === undefined) continue;
      const assets = value.assets ?? [];
      const digests = statedDigests(assets.map((asset) => [`${name}/${asset.name}`, asset.digest]));
      releases.push({
        version,
        ...(value.published_at && { releaseTimestamp: value.published_at }),
        ...(value.html_url && { changelogUrl: value.html_url }),
        ...(isPrerelease && { isPrerelease }),
        ...(digests && { digests }),
      });
    }
    return releases;
  },
});
