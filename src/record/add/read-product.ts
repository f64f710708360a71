import { basename, join } from 'node:path';
import * as z from 'zod';
import type { Day } from '../../core/model/dates.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { normalisePackageText, renderPackageUrl } from '../../core/model/package-names.ts';
import { HttpsUrl } from '../../core/schemas/urls.ts';
import { maxLineLength } from '../../core/text/foreign-text.ts';
import { formatList } from '../../core/text/wording.ts';
import { isAbsent, listNames, readRegularFile } from '../../io/files/file-system.ts';
import { decodeInput } from '../../io/files/read-documents.ts';
import type { Fetcher } from '../../io/http/client.ts';
import { answerIfAbsent } from '../../io/http/error.ts';
import { SourceError } from '../sources/datasource.ts';
import { listPackageUrls } from '../sources/endoflife-date.ts';
import { TypedSource } from '../sources/index.ts';
import { parseYaml, readBySchema } from '../sources/shared/document.ts';
import { joinUrl } from '../sources/shared/requests.ts';
import { checkSupportRule, ProductCycle } from './check-support-rule.ts';
import { joinNamedGroups } from './join-named-groups.ts';
import { readSupportRule } from './read-support-rule.ts';

/** A product of endoflife.date as parts of a definition. */
export type Product = ReturnType<typeof readProduct>;

/** The front matter of `products/<name>.md` (github.com/endoflife-date/endoflife.date, CONTRIBUTING.md). */
const ProductFile = z.object({
  title: z.string(),
  releasePolicyLink: HttpsUrl.optional().catch(undefined),
  identifiers: z.array(z.object({ purl: z.string().catch('') })).default([]),
  auto: z.object({ methods: z.array(z.record(z.string(), z.unknown())) }).catch({ methods: [] }),
  releases: z.array(ProductCycle).min(1),
});

/**
 * Reads the file of a product. A missing file throws in a folder, and is undefined at an address: an instance of endoflife.date
 * serves only its API.
 */
export async function findProduct(
  name: string,
  addressOrFolder: string,
  { http, day }: { http: Fetcher; day: Day },
): Promise<Product | undefined> {
  const parts = ['products', `${name}.md`];
  const file = isAddress(addressOrFolder)
    ? await fetchFile(joinUrl(addressOrFolder, parts), http)
    : readFromFolder(join(addressOrFolder, ...parts));
  return file && readProduct({ name, ...file, day });
}

export function isAddress(addressOrFolder: string): boolean {
  return /^https?:/.test(addressOrFolder);
}

async function fetchFile(url: string, http: Fetcher) {
  const answer = await http
    .fetch({
      url,
      accept: ['text/plain'],
      alsoAccept: ['text/markdown', 'application/octet-stream'],
    })
    .catch(answerIfAbsent(() => undefined));
  return answer && { text: answer.text(), place: url };
}

function readFromFolder(path: string) {
  if (isAbsent(path)) {
    throw new SourceError(`${path}: there is no such file`);
  }

  return { text: decodeInput(path, readRegularFile(path)), place: path };
}

/** The names of the products in a folder. */
export function listFolderProducts(folder: string): string[] {
  const path = join(folder, 'products');
  const names = listNames(path, /\.md$/);
  if (names.length === 0) {
    throw new SourceError(`${path}: expected files of products, *.md`);
  }

  return names.map((name) => basename(name, '.md')).sort();
}

/** Throws a `SourceError` that begins with `place` for another form. */
export function readProduct({
  name,
  text,
  place,
  day,
}: Record<'name' | 'text' | 'place', string> & { day: Day }) {
  const [, yaml = ''] = text.split(/^---$/m, 3);
  const file = readBySchema(place, parseYaml(place, yaml), ProductFile);
  const { title, releasePolicyLink: homepage, identifiers, auto, releases: cycles } = file;
  const { sources, unreadable } = readMethods(auto.methods);
  const listedPackages = sources.map((source) => renderPackageUrl(source));
  const aliases = listPackageUrls(
    identifiers
      .map(({ purl }) => purl)
      .filter((purl) => !listedPackages.includes(normalisePackageText(purl))),
  );
  const rule = readSupportRule(yaml, cycles, homepage);
  const { support, note } = checkSupportRule(name, rule, cycles, day);

  const notes = [note];
  if (unreadable.size > 0) {
    const kinds = formatList([...unreadable], 5);
    notes.unshift(`sources: no datasource reads its list of releases (${kinds})`);
  }

  return {
    /** Empty where the product names no usable list of releases. */
    sources,
    facts: dropUndefined({ title, homepage, aliases, support }),
    /** The latest version of its newest line. */
    latest: cycles[0]?.latest,
    /** For the user, on the chosen sources and the rule of support. */
    notes,
  };
}

/** The datasources of methods by their kinds. */
const datasources: Readonly<Record<string, string>> = {
  npm: 'npm',
  pypi: 'pypi',
  docker_hub: 'docker',
  git: 'git-tags',
  github_releases: 'github-releases',
  github_tags: 'github-tags',
  gitlab_tags: 'gitlab-tags',
};

/** Reads tags without an expression of their own: two to four numbers joined by dots, the first of them not 0, after an optional v. */
const plainTag = String.raw`^v?(?<version>[1-9]\d*\.\d+(?:\.\d+){0,2})$`;

type Method = Readonly<Record<string, unknown>>;

/** The sources of methods, and the kinds of the methods that no datasource can follow. */
function readMethods(methods: readonly Method[]) {
  const sources: TypedSource[] = [];
  const unreadable = new Set<string>();

  for (const method of methods) {
    // It lists ends of support, not releases.
    if ('release_table' in method) {
      continue;
    }

    // The first key of a method is its kind.
    const [kind = ''] = Object.keys(method);
    // One expression, several, or none, which is undefined.
    for (const regex of [method['regex']].flat()) {
      const source = readSource(kind, method, regex);
      if (source) {
        sources.push(source);
      } else {
        unreadable.add(kind);
      }
    }
  }

  return { sources, unreadable };
}

/** The source for one expression of a method, or for a method without any. Undefined if no datasource can follow it. */
function readSource(kind: string, method: Method, regex: unknown): TypedSource | undefined {
  const { template, regex_exclude: excluded, [kind]: identifier } = method;
  if (excluded !== undefined) {
    return undefined;
  }

  const coordinates = readCoordinates(kind, identifier);
  if (regex === undefined) {
    return TypedSource.safeParse(coordinates).data;
  }

  // A definition accepts no longer expression.
  const isReadable = typeof regex === 'string' && regex.length <= maxLineLength;
  const extractVersion = isReadable ? writeExpression(regex, template) : undefined;
  return extractVersion === undefined
    ? undefined
    : TypedSource.safeParse({ ...coordinates, extractVersion }).data;
}

/**
 * The keys of the source of a method, whose expression, if any, replaces `extractVersion`. An unknown kind has no datasource, so no
 * source. Of repositories, only those at GitHub and GitLab have days of tags.
 */
function readCoordinates(kind: string, packageName: unknown): object {
  const datasource = datasources[kind];
  if (!kind.startsWith('git')) {
    return { datasource, packageName };
  }

  const tags = { datasource, packageName, extractVersion: plainTag };
  if (kind !== 'git' || typeof packageName !== 'string') {
    return tags;
  }

  const form = /^https:\/\/(github|gitlab)\.com\/(.{1,300}?)(?:\.git)?\/*$/;
  const [, host, path] = form.exec(packageName) ?? [];
  return host === undefined ? tags : { ...tags, datasource: `${host}-tags`, packageName: path };
}

/** The expression with a single group `version`. Undefined if the template spells a version differently from the tag. */
function writeExpression(regex: string, template: unknown): string | undefined {
  const { joined, spelling = '' } = joinNamedGroups(regex) ?? {};
  // Without a template, a version is numbers joined by dots.
  const isSame =
    typeof template === 'string'
      ? spelling === spellTemplate(template)
      : /^#(?:\.#)*$/.test(spelling);
  if (joined === undefined || !isSame) {
    return undefined;
  }

  // endoflife.date applies it with Python's `match`, which begins every alternative at the start of a tag.
  return /^\^[^|]*$/.test(joined) ? joined : `^(?:${joined})`;
}

/** A template without its conditions, with # for each group: `#.#` for `{{major}}{% if minor %}.{{minor}}{% endif %}`. */
function spellTemplate(template: string): string {
  return template.replaceAll(/\{%[^%]*%\}/g, '').replaceAll(/\{\{\s*\w+\s*\}\}/g, '#');
}
