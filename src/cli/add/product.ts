import HostedGit from 'hosted-git-info';
import { load } from 'js-yaml';
import * as z from 'zod';
import { inputError } from '../../core/errors.ts';
import type { Source } from '../../core/schema/written.ts';
import type { Draft } from './component.ts';

/** Reads the front matter of `products/<name>.md` (github.com/endoflife-date/endoflife.date, CONTRIBUTING.md). */
const ProductFile = z.object({
  title: z.string(),
  /** The path of the product's page. The file may have another name: `linux-kernel.md` is the file of `/linux`. */
  permalink: z.string().catch(''),
  releasePolicyLink: z
    .url({ protocol: /^https$/ })
    .optional()
    .catch(undefined),
  /** Other paths of the product's page: `/node`, `/k8s`. */
  alternate_urls: z.array(z.string()).catch([]),
  identifiers: z.array(z.object({ purl: z.string().optional().catch(undefined) })).default([]),
  auto: z
    .object({ methods: z.array(z.record(z.string(), z.unknown())) })
    .catch({ methods: [] })
    // A `release_table` gives end-of-support dates, but no versions.
    .transform(({ methods }) => methods.filter((method) => !('release_table' in method))),
});

/** Maps endoflife.date's methods of listing releases, except git, to datasources. */
const datasources: Readonly<Record<string, Source['datasource']>> = {
  npm: 'npm',
  pypi: 'pypi',
  docker_hub: 'docker',
  github_releases: 'github-releases',
  github_tags: 'github-tags',
  gitlab_tags: 'gitlab-tags',
};

/** Matches usual tags: two to four numbers joined by dots, after an optional v. The first number is not 0. */
const extractVersion = String.raw`^v?(?<version>[1-9]\d*\.\d+(?:\.\d+)?(?:\.\d+)?)$`;

/** The folder with the lists that endoflife.date publishes: a file for each product, whatever its method. */
const publishedLists =
  'https://raw.githubusercontent.com/endoflife-date/release-data/main/releases';

/** A drafted product. Its name comes from the URL of the product's page. */
export interface Product extends Draft {
  name: string;
}

/** Reads the name of a product from the URL of its page. Undefined for any other text. */
export function readProductAddress(text: string): string | undefined {
  return /^https:\/\/endoflife\.date\/([^/?#]+)\/?$/.exec(text)?.[1];
}

/**
 * Drafts the definition of a product. Its release lists become sources, and endoflife.date gives the end-of-support dates. `file`: the name
 * of the product's file.
 */
export function readProduct(file: string, text: string): Product {
  const {
    title,
    permalink,
    releasePolicyLink,
    alternate_urls: paths,
    identifiers,
    auto,
  } = parseProduct(file, text);
  const [name = file, ...otherNames] = [permalink || file, ...paths].map((path) =>
    path.replace(/^\//, ''),
  );
  const homepage = releasePolicyLink ?? `https://endoflife.date/${name}`;
  const names = new Set([name, ...otherNames, file]);
  const aliases = [...names, ...identifiers.flatMap(({ purl }) => purl ?? [])].slice(1);
  const read = auto.map(readMethod);
  // The lists become sources only if all of them can be read. Otherwise, no source would list the releases of the unreadable lists. Such a
  // release would be marked as withdrawn if it is already recorded.
  const areAllRead = read.every((source) => source !== undefined);
  const published: Source = {
    datasource: 'json',
    url: `${publishedLists}/${file}.json`,
    transform: 'versions.*.{"version": name, "releaseTimestamp": date}',
  };
  return {
    definition: {
      title,
      ...(aliases.length > 0 && { aliases }),
      homepage,
      changelogUrl: homepage,
      sources: areAllRead ? read : [published],
      support: { policy: 'stated', source: { datasource: 'endoflife-date', product: name } },
    },
    notes: auto.length > 0 ? [] : [noVersions],
    name,
  };
}

const noVersions = 'sources: endoflife.date lists no versions of it';

/** Returns the URL of the list that endoflife.date publishes, if the draft uses it as a source. */
export function findPublishedList({ definition }: Draft): string | undefined {
  const { url } = definition.sources?.find(({ datasource }) => datasource === 'json') ?? {};
  return url;
}

export const PublishedList = z.object({ versions: z.record(z.string(), z.unknown()).default({}) });

/**
 * Drops the list of endoflife.date from a draft if the list has no versions. Methods such as `redhat_lifecycles` give only end-of-support
 * dates. `list`: undefined if the file does not exist.
 */
export function dropEmptyList<D extends Draft>(
  draft: D,
  list: z.infer<typeof PublishedList> | undefined,
): D {
  return Object.keys(list?.versions ?? {}).length > 0
    ? draft
    : { ...draft, definition: { ...draft.definition, sources: [] }, notes: [noVersions] };
}

/** Reads the names of a product, one of which is the name of its file (endoflife.date/docs/api/v1). */
export const ProductNames = z
  .object({ result: z.object({ name: z.string(), aliases: z.array(z.string()) }) })
  .transform(({ result }) => [result.name, ...result.aliases]);

function parseProduct(name: string, text: string) {
  try {
    return ProductFile.parse(load(text.split(/^---$/m)[1]!));
  } catch {
    throw inputError(name, 'is not a product file of endoflife.date');
  }
}

/**
 * Returns the source for a method of listing releases. Undefined if no datasource fits, or if the method has a regular expression of its
 * own.
 */
function readMethod(method: Readonly<Record<string, unknown>>): Source | undefined {
  // The first key of a method names its kind.
  const [kind = ''] = Object.keys(method);
  const packageName = method[kind];
  if (typeof packageName !== 'string' || 'regex' in method || 'regex_exclude' in method) {
    return undefined;
  }
  if (kind === 'git') {
    return { ...findRepository(packageName), extractVersion };
  }

  const datasource = datasources[kind];
  // The tags of an image may also be variants, such as `1.2-alpine`.
  const areTags = kind.startsWith('git') || kind === 'docker_hub';
  return datasource && { datasource, packageName, ...(areTags && { extractVersion }) };
}

/** Returns the source for a repository. Only GitHub and GitLab give the dates of tags. */
function findRepository(address: string): Source {
  const hosted = HostedGit.fromUrl(address);
  return hosted?.type === 'github' || hosted?.type === 'gitlab'
    ? { datasource: `${hosted.type}-tags`, packageName: `${hosted.user}/${hosted.project}` }
    : { datasource: 'git-tags', packageName: address };
}
