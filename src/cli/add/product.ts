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
  auto: z.object({ methods: z.array(z.record(z.string(), z.unknown())) }).catch({ methods: [] }),
});

/** The datasources of the methods by which endoflife.date lists releases. */
const datasources: Readonly<Record<string, Source['datasource']>> = {
  npm: 'npm',
  pypi: 'pypi',
  docker_hub: 'docker',
  git: 'git-tags',
  github_releases: 'github-releases',
  github_tags: 'github-tags',
  gitlab_tags: 'gitlab-tags',
};

/** Tags without an expression of their own: two to four numbers joined by dots, the first of them not 0, after an optional v. */
const plainTag = String.raw`^v?(?<version>[1-9]\d*\.\d+(?:\.\d+)?(?:\.\d+)?)$`;

/** The definition of a product: the lists of its releases become sources, and the product goes on stating the ends. */
export function readProduct(name: string, text: string): Draft {
  const data = parseProduct(name, text);
  const sources: Source[] = [];
  const notes = new Set<string>();
  for (const method of data.auto.methods.filter((each) => !('release_table' in each))) {
    // The first key names the kind, the others say more.
    const kind = Object.keys(method)[0]!;
    for (const regex of [method['regex']].flat()) {
      const source = readMethod(kind, method, regex);
      if (source) {
        sources.push(source);
      } else {
        notes.add(`sources: no datasource reads its list of releases (${kind})`);
      }
    }
  }

  const product = { datasource: 'endoflife-date' as const, product: name };
  const homepage = data.releasePolicyLink ?? `https://endoflife.date/${name}`;
  const aliases = data.identifiers.flatMap(({ purl }) => purl ?? []);
  return {
    definition: {
      title: data.title,
      ...(aliases.length > 0 && { aliases }),
      homepage,
      changelogUrl: homepage,
      sources,
      support: { policy: 'stated', source: product },
    },
    notes: [...notes],
  };
}

function parseProduct(name: string, text: string): z.infer<typeof ProductFile> {
  try {
    return ProductFile.parse(load(text.split(/^---$/m)[1]!));
  } catch {
    throw inputError(name, 'is no product file of endoflife.date');
  }
}

/** The source of a method with one of its expressions; undefined if no datasource can follow it. */
function readMethod(
  kind: string,
  method: Readonly<Record<string, unknown>>,
  regex: unknown,
): Source | undefined {
  const datasource = datasources[kind];
  const packageName = method[kind];
  if (datasource === undefined || typeof packageName !== 'string' || 'regex_exclude' in method) {
    return undefined;
  }

  // Of repositories, only those at GitHub and GitLab have days of tags.
  const hosted = /^https:\/\/(github|gitlab)\.com\/(.{1,300}?)(?:\.git)?\/*$/.exec(packageName);
  const source = hosted
    ? { datasource: datasources[`${hosted[1]}_tags`]!, packageName: hosted[2]! }
    : { datasource, packageName };
  if (regex === undefined) {
    return kind.startsWith('git') ? { ...source, extractVersion: plainTag } : source;
  }

  const template = method['template'] ?? '{{major}}.{{minor}}.{{patch}}';
  const extractVersion = joinGroups(String(regex), String(template));
  return extractVersion === undefined ? undefined : { ...source, extractVersion };
}

/** A named group in Python, such as `(?P<major>\d+)`. */
const namedGroup = /\(\?P?<(\w+)>([^()]*)\)/g;

/**
 * One group `version` in place of the named groups of an expression: `^v(?P<major>\d+)\.(?P<minor>\d+)$` becomes
 * `^v(?<version>(?:\d+)\.(?:\d+))$`. Undefined where the template spells a version in another way than the tag.
 */
function joinGroups(regex: string, template: string): string | undefined {
  // `v`, `(?P<major>\d+)\.(?P<minor>\d+)` and `$`
  const [, before, groups = '', after] = /^\^?([^(]*)(\(.*\)\??)([^()]*)$/.exec(regex) ?? [];
  // `{{major}}.{{minor}}`, as a template has it without its conditions and spaces
  const spelled = groups.replaceAll(namedGroup, '{{$1}}').replaceAll(/[\\()?:]/g, '');
  return spelled !== '' && spelled === template.replaceAll(/\{%.*?%\}|\s/g, '')
    ? `^${before}(?<version>${groups.replaceAll(namedGroup, '(?:$2)')})${after}`
    : undefined;
}
