import * as z from 'zod';
import { answerIfAbsent } from '../../io/http/error.ts';
import { defineSource, createPackageFields, type SourceContext } from './datasource.ts';
import {
  listElements,
  expectPackage,
  type RawElement,
  readReleases,
  Stated,
  completeDigests,
} from './shared/elements.ts';
import { createAddressBelow, fetchJson } from './shared/requests.ts';

/** guides.rubygems.org/rubygems-org-api, "Gem version methods". Yanked versions are missing. */
const Gem = z.object({
  created_at: z.string().nullish(),
  prerelease: z.boolean().nullish(),
  platform: z.string().optional().catch(undefined),
  /** SHA-256 of the gem. */
  sha: z.string().nullish().catch(undefined),
  metadata: z.object({ changelog_uri: z.string().nullish() }).nullish(),
});

/** guides.rubygems.org/rubygems-org-api, "Gem methods". */
const Described = z.object({
  name: Stated,
  info: Stated,
  homepage_uri: Stated,
  changelog_uri: Stated,
  source_code_uri: Stated,
  project_uri: Stated,
});

const defaultRegistry = 'https://rubygems.org/';

export const rubygems = defineSource({
  datasource: 'rubygems',
  purlType: 'gem',
  osvEcosystem: 'RubyGems',
  defaultRegistry,
  coordinates: createPackageFields(/^[A-Za-z0-9][\w.-]*$/, 'gem', 'rubygems.org', defaultRegistry),
  renovate: ({ packageName }) => ({
    matchDatasources: ['rubygems'],
    matchPackageNames: [packageName],
  }),
  async gather({ packageName, registryUrl = defaultRegistry }, context) {
    const listed = await listByApi(registryUrl, packageName, context).catch(
      answerIfAbsent(() => listByIndex(registryUrl, packageName, context)),
    );
    const answer = readReleases(listed.url, listed.elements, Gem, (gem, version) => {
      const link = gem.metadata?.changelog_uri;
      return {
        releaseTimestamp: gem.created_at ?? undefined,
        changelogUrl: link && isAbout(link, version) ? link : undefined,
        isPrerelease: gem.prerelease ?? undefined,
        digests: completeDigests([[gem.platform, gem.sha]]),
      };
    });

    // A version has a gem for each platform.
    return { ...answer, hasParts: true };
  },
  async describe({ packageName, registryUrl = defaultRegistry }, { http }) {
    const url = createAddressBelow(registryUrl, ['api', 'v1', 'gems', `${packageName}.json`]);
    const gem = await fetchJson(http, url, Described);
    expectPackage(url, packageName, gem.name);
    return {
      title: gem.name,
      description: gem.info,
      homepage: gem.homepage_uri,
      changelogUrl: gem.changelog_uri,
      repository: gem.source_code_uri,
      registryPage: gem.project_uri,
    };
  },
});

interface ListedGems {
  url: string;
  elements: RawElement[];
}

async function listByApi(
  registry: string,
  name: string,
  { http }: SourceContext,
): Promise<ListedGems> {
  const url = createAddressBelow(registry, ['api', 'v1', 'versions', `${name}.json`]);
  return {
    url,
    elements: listElements(await fetchJson(http, url, z.array(z.unknown())), 'number'),
  };
}

/**
 * The index that Bundler reads from every registry; it has no days: guides.rubygems.org/rubygems-org-compact-index-api. A line is
 * `number[-platform] dependencies|checksum:…,…`.
 */
async function listByIndex(
  registry: string,
  name: string,
  { http }: SourceContext,
): Promise<ListedGems> {
  const url = createAddressBelow(registry, ['info', name]);
  const types = { accept: ['text/plain'], alsoAccept: ['application/octet-stream'] };
  const lines = (await http.fetch({ url, ...types })).text().split('\n');
  const gems = lines
    .filter((line) => line !== '' && line !== '---')
    .map((line) => {
      const [, number, platform = 'ruby'] = /^([\w.]+)(?:-(\S+))? /.exec(line) ?? [];
      return { number, platform, sha: /\bchecksum:([0-9a-f]{64})\b/.exec(line)?.[1] };
    });
  return { url, elements: listElements(gems, 'number') };
}

/** Most gems link their whole history for each version. The definition names it already. */
function isAbout(link: string, version: string): boolean {
  return link.includes(version) || link.includes(version.replaceAll('.', '-'));
}
