import { z } from 'zod';
import { defined } from '../../core/text.ts';
import { elementsOf, readElements, readJson, statedDigests } from './elements.ts';
import {
  gitlabUrl,
  gitlabCoordinates,
  gitlabConditions,
  describeProject,
  fetchProjectList,
} from './gitlab-api.ts';
import { defineSource, type SourceRelease } from './source.ts';

const Tags = z.array(z.unknown());

/** docs.gitlab.com/api/tags. A tag that is no object of its own has no day but that of its commit. */
const Tag = z.object({
  created_at: z.string().nullish(),
  commit: z
    .object({
      id: z.string().nullish(),
      committed_date: z.string().nullish(),
      created_at: z.string().nullish(),
    })
    .nullish(),
});

export const gitlabTags = defineSource({
  datasource: 'gitlab-tags',
  purlType: 'gitlab',
  defaultRegistry: gitlabUrl,
  coordinates: gitlabCoordinates,
  timestamps: 'day of the tag itself, or else of its commit',
  renovate: gitlabConditions,
  async gather(source, context) {
    const pages = await fetchProjectList(source, ['repository', 'tags'], context);
    const listed = elementsOf(
      pages.flatMap((page) => readJson(page, Tags)),
      'name',
    );

    const releases: SourceRelease[] = [];
    for (const { name, value } of readElements(pages[0]!.url, listed, Tag, context)) {
      const version = context.offer(name);
      if (version === undefined) continue;
      const { created_at, commit } = value;
      const releaseTimestamp = created_at ?? commit?.committed_date ?? commit?.created_at ?? undefined;
      // A commit is named by the digest of what it holds: a tag that moves is a release with other bytes.
      releases.push(defined({ version, releaseTimestamp, digests: statedDigests([[name, commit?.id]]) }));
    }
    return releases;
  },
  describe: describeProject,
});
