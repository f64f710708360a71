import type { SchemaName } from '../../core/schemas/published/document-schemas.ts';
import { predicatePath } from '../../core/schemas/published/statement.ts';

/** A published path. With `{component}` in place of a name, one path for each component. */
interface PublishedPath {
  readonly path: string;
  /** What an index must have for the path to exist. */
  readonly needs?: keyof typeof conditions;
  /** The schema of a JSON document. */
  readonly schema?: SchemaName;
  /** The standard of a JSON document without a schema of its own. */
  readonly standard?: `https://${string}`;
}

/** A path that programs read. */
export interface DescribedPath extends PublishedPath {
  /** A description in one sentence. */
  readonly summary: string;
  /** The programs or people that read it. */
  readonly readers: string;
}

/** The conditions of paths, in words for readers. */
export const conditions = {
  latest: 'Only if a stable release is not deprecated.',
  compatibility: 'Only if a definition states what works together.',
  change: 'Only for years with a change.',
  run: 'Only for years with a run.',
  parts:
    'Only if all components take more than 20 MiB: all.json then begins with isComplete: false, lists its parts and contains no components itself.',
  searchParts: 'Only if all components take more than 20 MiB: search.json then lists its parts.',
  key: 'Only if the index has a key.',
  signature:
    'Only if the index has a key that signs each publication. The example has none: its SHA256SUMS is not signed.',
  statements: 'Only if the index has a key, and digests of a release are recorded.',
  expression: 'Only if a source has extractVersion.',
};

/**
 * The statements about releases with recorded digests. Signing adds them after the build, or the build publishes those signed in the
 * past.
 */
export const statementsPath = 'statements/{component}.ndjson';

export const renovateSchema = 'https://docs.renovatebot.com/renovate-schema.json';
export const jsonSchemaDialect = 'https://json-schema.org/draft/2020-12/schema';
const endoflifeApi = 'https://endoflife.date/docs/api/';

/** The paths that programs read, in reading order, as `api.html` and `openapi.json` describe them. */
export const describedPaths: readonly DescribedPath[] = [
  {
    path: '{component}.json',
    schema: 'component',
    readers: 'Renovate, updatecli, mise, nvchecker, scripts',
    summary:
      "The releases of a component, oldest first, in the response format of Renovate's custom datasource.",
  },
  {
    path: 'index.json',
    schema: 'index',
    readers: 'Scripts that go through all components',
    summary: 'The names of all components, alphabetical.',
  },
  {
    path: 'all.json',
    schema: 'all',
    readers: 'Dashboards and mirrors',
    summary:
      'The release files of all components in one document, or the list of the parts that hold them.',
  },
  {
    path: 'all/{part}.json',
    schema: 'all',
    readers: 'Dashboards and mirrors',
    summary: 'A part of all.json, in the same format.',
    needs: 'parts',
  },
  {
    path: 'search.json',
    schema: 'search',
    readers: 'Searches and dashboards',
    summary:
      'Every release with the fields of queries, compact, or the list of the parts that hold them.',
  },
  {
    path: 'search/{part}.json',
    schema: 'search',
    readers: 'Searches and dashboards',
    summary: 'A part of search.json, in the same form.',
    needs: 'searchParts',
  },
  {
    path: 'details/{component}.json',
    schema: 'details',
    readers: 'People and programs that ask why',
    summary:
      'The same releases with all known fields: release lines, verdicts with reasons and days, and the origin of each timestamp.',
  },
  {
    path: 'supported/{component}.json',
    schema: 'supported',
    readers: 'Build matrices',
    summary: 'The latest release of each release line that is certainly supported, oldest first.',
  },
  {
    path: 'latest/{component}.txt',
    readers: 'Shell scripts',
    summary: 'The latest version and a newline.',
    needs: 'latest',
  },
  {
    path: 'status.json',
    schema: 'status',
    readers: 'Monitoring',
    summary:
      'The freshness of the index: the names and packages of each component, when it was last checked and changed, and which sources failed.',
  },
  {
    path: 'compatibility.json',
    schema: 'compatibility',
    readers: 'Scripts and agents that choose versions that go together',
    summary:
      'What works together, as stated, and for each release line the greatest release of each other component that works with it.',
    needs: 'compatibility',
  },
  {
    path: 'policies.json',
    schema: 'policies',
    readers: 'Scans',
    summary: 'The policies that a scan can check, each a query.',
  },
  {
    path: 'renovate.json',
    standard: renovateSchema,
    readers: 'Renovate',
    summary: 'The whole configuration that Renovate needs, as a preset.',
  },
  {
    path: 'renovate/days.json',
    standard: renovateSchema,
    readers: 'Renovate',
    summary: 'A preset to extend after renovate.json: days for images whose registry states none.',
  },
  {
    path: 'renovate/own.json',
    standard: renovateSchema,
    readers: 'Renovate',
    summary:
      'A preset to extend after renovate.json: releases of this index skip a minimum release age.',
  },
  {
    path: 'changes.json',
    schema: 'changes',
    readers: 'Chat bots and dashboards',
    summary: 'The newest events of the index, at most 1,000.',
  },
  {
    path: 'changes/{year}.json',
    schema: 'changes-year',
    readers: 'Programs that catch up on older changes',
    summary:
      'The events that were recorded in a year, in the form of changes.json; if they take more than 20 MiB, the newest.',
    needs: 'change',
  },
  {
    path: 'builds/{year}.json',
    schema: 'builds',
    readers: 'Operators and auditors',
    summary:
      'The runs of the index in a year: the gathered components, and the sources that answered, failed or were held; if they take more than 20 MiB, the newest.',
    needs: 'run',
  },
  {
    path: 'endoflife/api/{component}.json',
    standard: endoflifeApi,
    readers: 'Renovate and other readers of endoflife.date',
    summary:
      'The release lines in the form of endoflife.date; an end is the last day with support.',
  },
  {
    path: 'endoflife/api/all.json',
    standard: endoflifeApi,
    readers: 'Readers of endoflife.date',
    summary: 'The names of all components.',
  },
  {
    path: 'feed.atom',
    readers: 'Feed readers',
    summary: 'The newest changes of all components.',
  },
  {
    path: 'feeds/{component}.atom',
    readers: 'Feed readers',
    summary: 'The newest changes of a component.',
  },
  {
    path: 'support.ics',
    readers: 'Calendars that subscribe',
    summary:
      'The ends of support of all release lines: an all-day event on each last day with support.',
  },
  {
    path: 'calendars/{component}.ics',
    readers: 'Calendars that subscribe',
    summary: "The ends of support of a component's release lines.",
  },
  {
    path: 'badges/{component}.json',
    schema: 'badge',
    readers: 'shields.io',
    summary: 'The latest version for a badge of shields.io.',
  },
  {
    path: 'badges/{component}.svg',
    readers: 'Readmes and wikis',
    summary: 'A picture of the latest version.',
  },
  {
    path: 'schema/documents.json',
    standard: jsonSchemaDialect,
    readers: 'Validators and editors',
    summary:
      'JSON Schema (draft 2020-12) of every document and of the files that people write, each below $defs.',
  },
  {
    path: predicatePath,
    standard: jsonSchemaDialect,
    readers: 'Verifiers of statements, which have this address as their type',
    summary: 'JSON Schema of a signed statement.',
    needs: 'key',
  },
  {
    path: 'openapi.json',
    standard: 'https://spec.openapis.org/oas/3.1/schema/2022-10-07',
    readers: 'Generators of clients',
    summary: 'Every path as OpenAPI 3.1.',
  },
  {
    path: 'SHA256SUMS',
    readers: 'Mirrors: sha256sum --check SHA256SUMS',
    summary:
      'The SHA-256 digest of every file except itself, its signature and the signed statements, as sha256sum writes it.',
  },
  {
    path: 'SHA256SUMS.minisig',
    readers: 'minisign -V',
    summary: 'The signature of SHA256SUMS, which names the address and the day of the build.',
    needs: 'signature',
  },
  {
    path: statementsPath,
    readers: 'Verifiers of packages, by in-toto statements',
    summary:
      'Signed statements about the releases of a component, by the digests of their packages: one Sigstore bundle per line.',
    needs: 'statements',
  },
  {
    path: 'signing-key.pub',
    readers: 'minisign -V',
    summary: 'The public key for minisign. Compare it once with a copy from another place.',
    needs: 'key',
  },
  {
    path: 'signing-key.pem',
    readers: 'openssl, cosign',
    summary: 'The same key for all other programs.',
    needs: 'key',
  },
  {
    path: 'support.svg',
    readers: 'Readmes and wikis',
    summary: 'The next ends of support as a picture, light or dark as the reader prefers.',
  },
  {
    path: 'robots.txt',
    readers: 'Crawlers',
    summary:
      'The rules for crawlers: everything is open, or nothing if the index needs a credential.',
  },
  {
    path: 'sitemap.xml',
    readers: 'Crawlers',
    summary: 'The addresses of all pages.',
  },
];

export const notFoundPage = '404.html';

/** The pages, for people. */
const pages = [
  // All components.
  'index.html',
  '{component}.html',
  // How to use the index in Renovate and pipelines, check its origin, and read a private one.
  'use.html',
  // Files, requests and tools, with real answers.
  'api.html',
  // The versions of a visitor: due dates, conflicts, a calendar. The list stays in the browser.
  'mine.html',
  // Releases and changes of the last half year, by week.
  'changes.html',
  // The freshness of each component, and sources that need attention.
  'status.html',
  notFoundPage,
];

/** The files that pages load, which may change in any way. */
const pageAssets = [
  // The script that every page loads.
  'assets/site.js',
  // The verdicts on named versions, loaded with the first question.
  'assets/ask.js',
  // Questions that are not just a name and a version, and bills of materials, loaded with the first.
  'assets/more.js',
  // Plans, loaded with the first list.
  'assets/plan.js',
  // The stylesheet, the icon, the preview of links, and the files of `site/assets` of the index.
  'assets/{asset}',
  // The day of the build: the pages themselves do not change every day.
  'assets/today.css',
];

/** Every path that a host may serve. The checks of a built site are made from it. */
export const publishedPaths: readonly PublishedPath[] = [
  ...describedPaths,
  ...[...pages, ...pageAssets].map((path) => ({ path })),
  // The engine of regular expressions, loaded with the first version of a package with `extractVersion`.
  { path: 'assets/expressions.js', needs: 'expression' },
];

/** Stylesheets of the program. An index cannot have its own under these names. */
export const generatedAssets: readonly string[] = ['site.css', 'today.css'];

export function fillPath(path: string, component: string): string {
  return path.replace('{component}', component);
}

/** A path as people read it, with `<component>` in place of `{component}`. */
export function markPlaceholders(path: string): string {
  return path.replaceAll('{', '<').replaceAll('}', '>');
}

export function isOfComponent({ path }: PublishedPath): boolean {
  return path.includes('{component}');
}

/** The pages about the whole site, except the 404 page. */
export function listSitePages(): string[] {
  return pages.filter((path) => !isOfComponent({ path }) && path !== notFoundPage);
}
