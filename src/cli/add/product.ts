import HostedGit from 'hosted-git-info';
import { load } from 'js-yaml';
import * as z from 'zod';
import { inputError } from '../../core/errors.ts';
import type { Source } from '../../core/schema/definition.ts';
import type { Draft } from './draft.ts';

/** The front matter of `products/<name>.md` (github.com/endoflife-date/endoflife.date, CONTRIBUTING.md). */
const ProductFile = z.object({
  title: z.string(),
  releasePolicyLink: z
    .url({ protocol: /^https$/ })
    .optional()
    .catch(undefined),
  identifiers: z.array(z.object({ purl: z.string().optional().catch(undefined) })).default([]),
  auto: z
    .object({ methods: z.array(z.record(z.string(), z.unknown())) })
    .catch({ methods: [] })
    // A table of releases states ends, no versions.
    .transform(({ methods }) => methods.filter((method) => !('release_table' in method))),
});
type Product = z.infer<typeof ProductFile>;

/** The datasources of the methods by which endoflife.date lists releases, besides git. */
const datasources: Readonly<Record<string, Source['datasource']>> = {
  npm: 'npm',
  pypi: 'pypi',
  docker_hub: 'docker',
  github_releases: 'github-releases',
  github_tags: 'github-tags',
  gitlab_tags: 'gitlab-tags',
};

/** Tags without an expression of their own: two to four numbers joined by dots, the first of them not 0, after an optional v. */
const extractVersion = String.raw`^v?(?<version>[1-9]\d*\.\d+(?:\.\d+)?(?:\.\d+)?)$`;

/** What endoflife.date lists, whatever the method, a file for each product. */
const publishedLists = 'https://raw.githubusercontent.com/endoflife-date/release-data/main';
const publishedTransform = 'versions.*.{"version": name, "releaseTimestamp": date}';

/** The definition of a product: the lists of its releases become sources, and the product goes on stating the ends. */
export function readProduct(name: string, text: string): Draft {
  const product = parseProduct(name, text);
  const sources = product.auto.map(readMethod);
  // A part of the lists would withdraw what the others have.
  const areAllRead = sources.every((source) => source !== undefined);
  return draftProduct(name, product, areAllRead ? sources : [findPublishedList(name)]);
}

function parseProduct(name: string, text: string): Product {
  try {
    return ProductFile.parse(load(text.split(/^---$/m)[1]!));
  } catch {
    throw inputError(name, 'is no product file of endoflife.date');
  }
}

function draftProduct(
  name: string,
  { title, releasePolicyLink, identifiers }: Product,
  sources: Source[],
): Draft {
  const homepage = releasePolicyLink ?? `https://endoflife.date/${name}`;
  const aliases = identifiers.flatMap(({ purl }) => purl ?? []);
  return {
    definition: {
      title,
      ...(aliases.length > 0 && { aliases }),
      homepage,
      changelogUrl: homepage,
      sources,
      support: { policy: 'stated', source: { datasource: 'endoflife-date', product: name } },
    },
    notes: sources.length > 0 ? [] : ['sources: endoflife.date keeps its releases by hand'],
  };
}

function findPublishedList(name: string): Source {
  const url = `${publishedLists}/releases/${name}.json`;
  return { datasource: 'json', url, transform: publishedTransform };
}

/** The source of a method; undefined where it has an expression of its own, or no datasource follows it. */
function readMethod(method: Product['auto'][number]): Source | undefined {
  // The first key names the kind, the others say more.
  const [kind = ''] = Object.keys(method);
  const packageName = method[kind];
  if (typeof packageName !== 'string' || 'regex' in method || 'regex_exclude' in method) {
    return undefined;
  }
  if (kind === 'git') {
    return { ...findRepository(packageName), extractVersion };
  }

  const datasource = datasources[kind];
  const areTags = kind.startsWith('git');
  return datasource && { datasource, packageName, ...(areTags && { extractVersion }) };
}

/** Of repositories, only those at GitHub and GitLab have days of tags. */
function findRepository(address: string): Source {
  const hosted = HostedGit.fromUrl(address);
  return hosted?.type === 'github' || hosted?.type === 'gitlab'
    ? { datasource: `${hosted.type}-tags`, packageName: `${hosted.user}/${hosted.project}` }
    : { datasource: 'git-tags', packageName: address };
}
