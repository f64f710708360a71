import { z } from 'zod';
import { elementsOf, readElements, readJson } from './elements.ts';
import {
  githubApiUrl,
  githubCoordinates,
  githubConditions,
  describeRepository,
  fetchRepositoryList,
  repositoryRequest,
} from './github-api.ts';
import { lookUpTimestamps, offerAll } from './look-up.ts';
import { defineSource } from './source.ts';

const Tags = z.array(z.unknown());

/** docs.github.com/rest/repos/repos, "List repository tags". */
const Tag = z.object({
  commit: z.object({ sha: z.string().regex(/^[0-9a-f]+$/, { error: 'expected a commit' }) }),
});

/** docs.github.com/rest/commits/commits. The committer's day is that of the commit as it is; the author's may be much older. */
const Commit = z.object({ commit: z.object({ committer: z.object({ date: z.string() }).nullish() }) });

export const githubTags = defineSource({
  datasource: 'github-tags',
  purlType: 'github',
  defaultRegistry: githubApiUrl,
  coordinates: githubCoordinates,
  timestamps: 'date of the commit, asked for once',
  renovate: githubConditions,
  describe: describeRepository,
  async gather(source, context) {
    const pages = await fetchRepositoryList(source, 'tags', context);
    const listed = pages.flatMap((page) => readJson(page, Tags));
    const tags = new Map<string, string>();
    for (const { name, value } of readElements(pages[0]!.url, elementsOf(listed, 'name'), Tag, context)) {
      tags.set(name, value.commit.sha);
    }

    const listedAs = offerAll(tags.keys(), context);
    const releases = await lookUpTimestamps(listedAs, context, async (tag) => {
      const request = repositoryRequest(source, ['commits', tags.get(tag)!]);
      const commit = await context.http.fetch({ ...request, isKept: false });
      return readJson(commit, Commit).commit.committer?.date;
    });
    // A commit is named by the digest of what it holds: a tag that moves is a release with other bytes.
    return releases.map((release) => {
      const tag = listedAs.get(release.version)!;
      return { ...release, digests: { [tag]: tags.get(tag)! } };
    });
  },
});
