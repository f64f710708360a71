import * as z from 'zod';
import { answerIfAbsent } from '../../io/http/error.ts';
import {
  defineSource,
  definePackage,
  type PackageSource,
  type SourceContext,
  matchPackage,
} from './datasource.ts';
import { orNull, createListAdapter } from './shared/json-list.ts';
import { joinUrl, textTypes } from './shared/requests.ts';
import { listTextLines } from './shared/document.ts';

const defaultRegistry = 'https://rubygems.org/';

const gems = createListAdapter({
  registry: defaultRegistry,
  address: 'api/v1/versions/{packageName}.json',
  version: 'number',
  /** guides.rubygems.org/rubygems-org-api, "Gem version methods". Yanked versions are missing. */
  release: {
    schema: z.object({
      created_at: orNull(z.string()),
      prerelease: orNull(z.boolean()),
      platform: z.string().optional().catch(undefined),
      /** SHA-256 of the gem. */
      sha: orNull(z.string()).catch(undefined),
      metadata: orNull(z.object({ changelog_uri: orNull(z.string()) })),
    }),
    // Most gems link their whole history for each version. The definition names it already.
    expression: `(
      $link := metadata.changelog_uri;
      {
        "releaseTimestamp": created_at,
        "changelogUrl": $contains($link, $version) or $contains($link, $replace($version, ".", "-")) ? $link,
        "isPrerelease": prerelease,
        "digests": [{ "artifact": platform, "digest": sha }]
      }
    )`,
  },
  /** guides.rubygems.org/rubygems-org-api, "Gem methods". */
  package: {
    address: 'api/v1/gems/{packageName}.json',
    namesPackage: true,
    keys: {
      title: 'name',
      description: 'info',
      homepage: 'homepage_uri',
      changelogUrl: 'changelog_uri',
      repository: 'source_code_uri',
      registryPage: 'project_uri',
    },
  },
});

export const rubygems = defineSource({
  datasource: 'rubygems',
  osvEcosystem: 'RubyGems',
  defaultRegistry,
  coordinates: definePackage(/^[A-Za-z0-9][\w.-]*$/, 'gem', 'rubygems.org', defaultRegistry),
  renovate: matchPackage,
  async gather(source, context) {
    const answer = await gems
      .gather(source, context)
      .catch(answerIfAbsent(() => readIndex(source, context)));

    // A version has a gem for each platform.
    return { ...answer, hasParts: true };
  },
  describe: gems.describe,
});

/**
 * The index that Bundler reads from every registry; it has no days: guides.rubygems.org/rubygems-org-compact-index-api. A line is
 * `number[-platform] dependencies|checksum:…,…`.
 */
async function readIndex(
  { packageName, registryUrl = defaultRegistry }: PackageSource,
  { http }: SourceContext,
) {
  const url = joinUrl(registryUrl, ['info', packageName]);
  const text = (await http.fetch({ url, ...textTypes })).text();
  const lines = listTextLines(url, text).filter((line) => line !== '---');
  const versions = lines.map((line) => {
    const [, number, platform = 'ruby'] = /^([\w.]+)(?:-(\S+))? /.exec(line) ?? [];
    const sha = /\bchecksum:([0-9a-f]{64})\b/.exec(line)?.[1];
    return { number, platform, sha };
  });
  return gems.readList(url, versions);
}
