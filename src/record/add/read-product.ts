import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { JSON_SCHEMA, load, YAMLException } from 'js-yaml';
import * as z from 'zod';
import type { Day } from '../../core/model/dates.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { normalisePackage } from '../../core/model/purl.ts';
import { HttpsUrl } from '../../core/schemas/scalars.ts';
import { joinNamedGroups } from '../../core/text/named-groups.ts';
import { formatList } from '../../core/text/wording.ts';
import { isAbsent, readRegularFile } from '../../io/files/file-system.ts';
import { decode } from '../../io/files/read-documents.ts';
import type { Fetcher } from '../../io/http/client.ts';
import { answerIfAbsent } from '../../io/http/error.ts';
import { SourceError } from '../sources/datasource.ts';
import { listPackageUrls } from '../sources/endoflife-date.ts';
import { renderPackageUrl, TypedSource } from '../sources/index.ts';
import { joinUrl } from '../sources/shared/requests.ts';
import type { GivenValues } from './draft-definition.ts';
import { Cycle, PlainText, readSupportRule } from './support-rule.ts';

/** A product of endoflife.date as parts of a definition. */
export interface Product {
  /** Empty where the product names no usable list of releases. */
  sources: TypedSource[];
  facts: GivenValues;
  /** The latest version of its newest line. */
  latest?: string | undefined;
  /** Facts that were left out. */
  notes: string[];
}

/** The front matter of `products/<name>.md` (github.com/endoflife-date/endoflife.date, CONTRIBUTING.md). */
const ProductFile = z.object({
  title: PlainText,
  releasePolicyLink: HttpsUrl.optional().catch(undefined),
  identifiers: z.array(z.object({ purl: z.string().optional().catch(undefined) })).default([]),
  auto: z
    .object({ methods: z.array(z.record(z.string(), z.unknown())) })
    .optional()
    .catch(undefined),
  releases: z.array(Cycle).min(1),
});

/** The files of all products, below this address or in a folder. */
export const endoflifeFiles =
  'https://raw.githubusercontent.com/endoflife-date/endoflife.date/master/';

/** Reads the file of a product. Undefined if an address has no such file: an instance of endoflife.date serves only its API. */
export async function findProduct(
  name: string,
  files: string,
  { http, day }: { http: Fetcher; day: Day },
): Promise<Product | undefined> {
  if (!/^https?:/.test(files)) {
    const path = join(files, 'products', `${name}.md`);
    if (isAbsent(path)) {
      throw new SourceError(`${path}: there is no such file`);
    }

    return readProduct({ name, text: decode(readRegularFile(path)), place: path, day });
  }

  const url = joinUrl(files, ['products', `${name}.md`]);
  const answer = await http
    .fetch({
      url,
      accept: ['text/plain'],
      alsoAccept: ['text/markdown', 'application/octet-stream'],
    })
    .catch(answerIfAbsent(() => undefined));
  return answer && readProduct({ name, text: answer.text(), place: url, day });
}

/** The names of the products in a folder. */
export function listFolder(folder: string): string[] {
  const path = join(folder, 'products');
  const names = (isAbsent(path) ? [] : readdirSync(path)).filter((name) => name.endsWith('.md'));
  if (names.length === 0) {
    throw new SourceError(`${path}: expected files of products, *.md`);
  }

  return names.map((name) => basename(name, '.md')).sort();
}

interface ProductText {
  name: string;
  text: string;
  place: string;
  day: Day;
}

/** Throws a `SourceError` that begins with `place` for another form. */
export function readProduct({ name, text, place, day }: ProductText): Product {
  const [, yaml = ''] = text.split(/^---$/m, 3);
  const file = ProductFile.safeParse(loadYaml(yaml, place));
  if (!file.success) {
    const [issue] = file.error.issues;
    throw new SourceError(`${place}: ${issue?.path.join('.')}: ${issue?.message}`);
  }

  const { title, releasePolicyLink, identifiers, auto, releases: cycles } = file.data;
  const { sources, unreadable } = readMethods(auto?.methods ?? []);
  const listedPackages = new Set(sources.map((source) => renderPackageUrl(source)));
  const packageUrls = identifiers
    .map(({ purl = '' }) => purl)
    .filter((purl) => !listedPackages.has(normalisePackage(purl)));
  const aliases = listPackageUrls(packageUrls);
  const { support, note } = readSupportRule({ name, yaml, cycles, url: releasePolicyLink, day });

  const notes = [note];
  if (unreadable.length > 0) {
    const names = formatList(unreadable, 5);
    notes.unshift(`sources: no datasource reads its list of releases (${names})`);
  }

  return {
    sources,
    facts: dropUndefined({ title, homepage: releasePolicyLink, aliases, support }),
    latest: cycles[0]?.latest,
    notes,
  };
}

function loadYaml(yaml: string, place: string): unknown {
  try {
    // Without dates and sexagesimal numbers: "2.0" in quotes stays a text, and a day is one, too.
    return load(yaml, { schema: JSON_SCHEMA });
  } catch (error) {
    if (!(error instanceof YAMLException)) {
      throw error;
    }

    throw new SourceError(`${place}: ${error.reason}`);
  }
}

/** Methods that list the releases of a package, by their names there. A `release_table` lists ends. */
const datasources: Readonly<Record<string, string>> = {
  github_releases: 'github-releases',
  github_tags: 'github-tags',
  gitlab_tags: 'gitlab-tags',
  npm: 'npm',
  pypi: 'pypi',
  docker_hub: 'docker',
};

/** Reads tags without an expression of their own: numbers joined by dots, after an optional v. */
const plainTag = String.raw`^v?(?<version>[1-9]\d*\.\d+(?:\.\d+){0,2})$`;

type Method = Readonly<Record<string, unknown>>;

/** The sources of methods, and the names of the methods that no datasource can follow. */
function readMethods(methods: readonly Method[]) {
  const sources: TypedSource[] = [];
  const unreadable = new Set<string>();

  for (const method of methods) {
    // Its first key is its kind. A table of releases lists ends.
    const [kind = ''] = Object.keys(method);
    for (const source of 'release_table' in method ? [] : readMethod(kind, method)) {
      if (source) {
        sources.push(source);
      } else {
        unreadable.add(kind);
      }
    }
  }

  return { sources, unreadable: [...unreadable] };
}

/** A source for each expression of a method, or undefined for an expression that no datasource can follow. */
function readMethod(kind: string, method: Method): (TypedSource | undefined)[] {
  const { regex, template, regex_exclude: excluded, [kind]: identifier } = method;
  if (excluded !== undefined) {
    return [undefined];
  }

  const coordinates =
    kind === 'git'
      ? readRepository(identifier)
      : { datasource: datasources[kind], packageName: identifier };
  if (regex === undefined) {
    return [parseSource(coordinates, kind.startsWith('git') ? plainTag : undefined)];
  }

  return [regex].flat().map((text) => {
    const extractVersion = typeof text === 'string' ? writeExpression(text, template) : undefined;
    return extractVersion === undefined ? undefined : parseSource(coordinates, extractVersion);
  });
}

function parseSource(coordinates: object, extractVersion: string | undefined) {
  return TypedSource.safeParse(dropUndefined({ ...coordinates, extractVersion })).data;
}

/** Tags have days at GitHub and GitLab only. */
function readRepository(address: unknown): object {
  const form = /^https:\/\/(github|gitlab)\.com\/(.+?)(?:\.git)?\/*$/;
  const [, host, path] = (typeof address === 'string' && form.exec(address)) || [];
  return host === undefined
    ? { datasource: 'git-tags', packageName: address }
    : { datasource: `${host}-tags`, packageName: path };
}

/** Undefined where the template spells versions in another way than the tag: a version is published as upstream writes it. */
function writeExpression(regex: string, template: unknown): string | undefined {
  const { joined, spelling = '' } = joinNamedGroups(regex) ?? {};
  const isSpelledSo =
    typeof template === 'string'
      ? spelling === spellTemplate(template)
      : /^#(?:\.#)*$/.test(spelling);
  return isSpelledSo ? joined : undefined;
}

/** A template without its conditions, with # for each group: `#.#` for `{{major}}{% if minor %}.{{minor}}{% endif %}`. */
function spellTemplate(template: string): string {
  return template.replaceAll(/\{%.*?%\}/g, '').replaceAll(/\{\{\s*\w+\s*\}\}/g, '#');
}
