import { z } from 'zod';
import { defined } from '../text.ts';
import { addressBelow } from './registry-address.ts';
import {
  earliest,
  elementsOf,
  expectPackage,
  groupByVersion,
  readElements,
  readJson,
  statedDigests,
} from './elements.ts';
import type { SourceAdapter } from './source.ts';
import { Stated } from './stated.ts';

/** guides.rubygems.org/rubygems-org-api, "Gem version methods". A version that was yanked is not among them. */
const Gem = z.object({
  created_at: z.string().nullish(),
  prerelease: z.boolean().nullish(),
  platform: z.string().optional().catch(undefined),
  /** SHA-256 of the gem. */
  sha: z.string().nullish().catch(undefined),
  metadata: z.object({ changelog_uri: z.string().nullish() }).nullish(),
});

/** The same page's neighbour, "Gem methods". */
const Described = z.object({
  name: Stated,
  info: Stated,
  homepage_uri: Stated,
  changelog_uri: Stated,
  source_code_uri: Stated,
  project_uri: Stated,
});

export const rubygems: SourceAdapter<'rubygems'> = {
  datasource: 'rubygems',
  async gather({ packageName, registryUrl }, context) {
    const registry = registryUrl ?? context.defaults.rubygemsRegistryUrl;
    const url = addressBelow(registry, ['api', 'v1', 'versions', `${packageName}.json`]);
    const response = await context.http.fetch({ url, accept: ['application/json'] });
    const listed = elementsOf(readJson(response, z.array(z.unknown())), 'number');

    const gems = readElements(url, listed, Gem, context);
    // A version has a gem for each platform that it is compiled for.
    const versions = groupByVersion(gems, context, ({ prerelease }) => prerelease ?? undefined);
    return Array.from(versions, ([version, platforms]) => {
      const links = platforms.flatMap(({ metadata }) => metadata?.changelog_uri ?? []);
      return defined({
        version,
        releaseTimestamp: earliest(platforms.flatMap(({ created_at }) => created_at ?? [])),
        changelogUrl: links.find((link) => isAbout(link, version)),
        isPrerelease: platforms[0]!.prerelease ?? undefined,
        digests: statedDigests(platforms.map(({ platform, sha }) => [platform, sha])),
      });
    });
  },
  async describe({ packageName, registryUrl }, { http, defaults }) {
    const registry = registryUrl ?? defaults.rubygemsRegistryUrl;
    const url = addressBelow(registry, ['api', 'v1', 'gems', `${packageName}.json`]);
    const gem = readJson(await http.fetch({ url, accept: ['application/json'] }), Described);
    expectPackage(url, packageName, gem.name);
    return defined({
      title: gem.name,
      description: gem.info,
      homepage: gem.homepage_uri,
      changelogUrl: gem.changelog_uri,
      repository: gem.source_code_uri,
      registryPage: gem.project_uri,
    });
  },
};

/** Most gems name their whole history as the log of each version, which the definition names already. */
function isAbout(link: string, version: string): boolean {
  return link.includes(version) || link.includes(version.replaceAll('.', '-'));
}
