import HostedGit from 'hosted-git-info';
import { load } from 'js-yaml';
import * as z from 'zod';
import { inputError } from '../../core/errors.ts';
import type { Source } from '../../core/schema/written.ts';
import type { Draft } from './component.ts';

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
const publishedLists =
  'https://raw.githubusercontent.com/endoflife-date/release-data/main/releases';

/** The definition of a product: the lists of its releases become sources, and the product goes on stating the ends. */
export function readProduct(name: string, text: string): Draft {
  const { title, releasePolicyLink, identifiers, auto } = parseProduct(name, text);
  const homepage = releasePolicyLink ?? `https://endoflife.date/${name}`;
  const aliases = identifiers.flatMap(({ purl }) => purl ?? []);
  const read = auto.map(readMethod);
  // A part of the lists would withdraw what the others have.
  const areAllRead = read.every((source) => source !== undefined);
  const published: Source = {
    datasource: 'json',
    url: `${publishedLists}/${name}.json`,
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
    notes: auto.length > 0 ? [] : ['sources: endoflife.date keeps its releases by hand'],
  };
}

function parseProduct(name: string, text: string) {
  try {
    return ProductFile.parse(load(text.split(/^---$/m)[1]!));
  } catch {
    throw inputError(name, 'is not a product file of endoflife.date');
  }
}

/** The source of a method; undefined where it has an expression of its own, or no datasource follows it. */
function readMethod(method: Readonly<Record<string, unknown>>): Source | undefined {
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
