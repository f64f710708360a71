import { z } from 'zod';
import { defined } from '../../core/text.ts';
import { elementsOf, readElements, readJson } from './elements.ts';
import {
  gitlabUrl,
  gitlabCoordinates,
  gitlabConditions,
  describeProject,
  fetchProjectList,
} from './gitlab-api.ts';
import { defineSource, type SourceRelease } from './source.ts';

const Releases = z.array(z.unknown());

/** docs.gitlab.com/api/releases. A release may be dated ahead: it is upcoming until then. */
const Release = z.object({
  released_at: z.string().nullish(),
  upcoming_release: z.boolean().nullish(),
  _links: z.object({ self: z.string().nullish() }).nullish(),
});

export const gitlabReleases = defineSource({
  datasource: 'gitlab-releases',
  purlType: 'gitlab',
  defaultRegistry: gitlabUrl,
  coordinates: gitlabCoordinates,
  timestamps: '`released_at`',
  renovate: gitlabConditions,
  async gather(source, context) {
    const pages = await fetchProjectList(source, ['releases'], context);
    const listed = elementsOf(
      pages.flatMap((page) => readJson(page, Releases)),
      'tag_name',
    );

    const releases: SourceRelease[] = [];
    for (const { name, value } of readElements(pages[0]!.url, listed, Release, context)) {
      if (value.upcoming_release) continue;
      const version = context.offer(name);
      if (version === undefined) continue;
      releases.push(
        defined({
          version,
          releaseTimestamp: value.released_at ?? undefined,
          changelogUrl: value._links?.self ?? undefined,
        }),
      );
    }
    return releases;
  },
  describe: describeProject,
});
