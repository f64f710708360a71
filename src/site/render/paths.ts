import { predicatePath } from '../../core/schemas/published/statement.ts';
import type { SchemaName } from './json-schemas.ts';

/** One published path, or one for each component: `{component}` stands for its name. */
export interface PublishedPath {
  readonly path: string;
  /** What it is, in a sentence. */
  readonly summary: string;
  readonly mediaType: string;
  /** Name of the schema of a JSON document. */
  readonly schema?: SchemaName;
  /** Who reads it. */
  readonly readers: string;
  /** When it exists, if not always. */
  readonly onlyIf?: string;
}

const json = 'application/json';
/** Where the statements about a component are; signing makes them, after the build. */
export const attestationsPath = 'attestations/{component}.json';
const onlyIfSigned = 'Only where the index has a key.';

/** Every path that the host serves, in the order in which a reader meets them. */
export const publishedPaths: readonly PublishedPath[] = [
  {
    path: '{component}.json',
    summary:
      "The releases of a component, oldest first, in the response format of Renovate's custom datasource.",
    mediaType: json,
    schema: 'component',
    readers: 'Renovate, updatecli, mise, nvchecker, scripts',
  },
  {
    path: 'index.json',
    summary: 'The names of all components, alphabetical.',
    mediaType: json,
    schema: 'index',
    readers: 'Scripts that go through all components',
  },
  {
    path: 'all.json',
    summary: 'The release files of all components in one document, or the list of the parts that hold them.',
    mediaType: json,
    schema: 'all',
    readers: 'Dashboards and mirrors',
  },
  {
    path: 'all/{part}.json',
    summary: 'A part of all components, of the form of all.json.',
    mediaType: json,
    readers: 'Dashboards and mirrors',
    onlyIf:
      'Only where all components are more than 20 MiB: all.json then lists its parts and holds no components itself.',
  },
  {
    path: 'search.json',
    summary:
      'Every release with the fields that queries ask for, compact, or the list of the parts that hold them.',
    mediaType: json,
    schema: 'search',
    readers: 'Searches and dashboards',
  },
  {
    path: 'search/{part}.json',
    summary: 'A part of all components, of the form of search.json.',
    mediaType: json,
    readers: 'Searches and dashboards',
    onlyIf: 'Only where all of it is more than 20 MiB: search.json then lists its parts.',
  },
  {
    path: 'details/{component}.json',
    summary:
      'The same releases with everything known: release lines, verdicts with reasons and days, where each timestamp came from.',
    mediaType: json,
    schema: 'details',
    readers: 'Whoever asks why',
  },
  {
    path: 'latest/{component}.txt',
    summary: 'The latest supported version and a newline.',
    mediaType: 'text/plain',
    readers: 'Shell scripts',
    onlyIf: 'Only where a release is supported.',
  },
  {
    path: 'status.json',
    summary: 'How fresh the index is: when each component was last checked and changed, and what went wrong.',
    mediaType: json,
    schema: 'status',
    readers: 'Monitoring',
  },
  {
    path: 'packages.json',
    summary: 'Which components packages belong to, by package URL.',
    mediaType: json,
    schema: 'packages',
    readers: 'Scans',
  },
  {
    path: 'policies.json',
    summary: 'What a scan may ask of a release, each a query.',
    mediaType: json,
    schema: 'policies',
    readers: 'Scans',
  },
  {
    path: 'renovate.json',
    summary: 'The whole configuration that Renovate needs, as a preset.',
    mediaType: json,
    schema: 'renovate',
    readers: 'Renovate',
  },
  {
    path: 'changes.json',
    summary:
      'What changed in the index and when, the newest 1,000: added, deprecated, supported again, withdrawn, left out, returned, corrected.',
    mediaType: json,
    schema: 'changes',
    readers: 'Chat bots and dashboards',
  },
  {
    path: 'changes/{year}.json',
    summary: 'Everything that changed in the index in a year, of the form of changes.json.',
    mediaType: json,
    schema: 'changes-year',
    readers: 'Whoever catches up on more than changes.json holds',
    onlyIf: 'Only for years in which something changed.',
  },
  {
    path: 'feed.atom',
    summary: 'The newest 50 changes of all components.',
    mediaType: 'application/atom+xml',
    readers: 'Feed readers',
  },
  {
    path: 'feeds/{component}.atom',
    summary: 'The newest 50 changes of a component.',
    mediaType: 'application/atom+xml',
    readers: 'Feed readers',
  },
  {
    path: 'support.ics',
    summary: 'The ends of support of all release lines: an all-day event on each first day without support.',
    mediaType: 'text/calendar',
    readers: 'Calendars that subscribe',
  },
  {
    path: 'calendars/{component}.ics',
    summary: "The ends of support of a component's release lines.",
    mediaType: 'text/calendar',
    readers: 'Calendars that subscribe',
  },
  {
    path: 'badges/{component}.json',
    summary: 'The latest supported version for a badge of shields.io.',
    mediaType: json,
    schema: 'badge',
    readers: 'shields.io',
  },
  {
    path: 'badges/{component}.svg',
    summary: 'A picture of the latest supported version.',
    mediaType: 'image/svg+xml',
    readers: 'Readmes and wikis',
  },
  {
    path: 'schema/{schema}.json',
    summary: 'JSON Schema (draft 2020-12) of a document.',
    mediaType: json,
    readers: 'Validators and editors',
  },
  {
    path: 'openapi.json',
    summary: 'Every path as OpenAPI 3.1.',
    mediaType: json,
    readers: 'Generators of clients',
  },
  {
    path: 'SHA256SUMS',
    summary: 'The SHA-256 digest of every other file, as sha256sum writes it.',
    mediaType: 'text/plain',
    readers: 'Mirrors: sha256sum --check SHA256SUMS',
  },
  {
    path: 'SHA256SUMS.minisig',
    summary: 'The signature of SHA256SUMS, which names the address and the day that the site was built for.',
    mediaType: 'text/plain',
    readers: 'minisign -V',
    onlyIf: onlyIfSigned,
  },
  {
    path: attestationsPath,
    summary: 'What the owner of the index states of the files of a component, signed: Sigstore bundles.',
    mediaType: json,
    schema: 'attestations',
    readers: 'release-index verify, cosign and other verifiers of in-toto statements',
    onlyIf: onlyIfSigned,
  },
  {
    path: predicatePath,
    summary: 'What a signed statement says: its kind leads here. The same as schema/statement.json.',
    mediaType: json,
    readers: 'Whoever meets a statement',
  },
  {
    path: 'signing-key.pub',
    summary: 'The public key for minisign. Compare it once with one from elsewhere.',
    mediaType: 'text/plain',
    readers: 'minisign -V',
    onlyIf: onlyIfSigned,
  },
  {
    path: 'signing-key.pem',
    summary: 'The same key for everything else.',
    mediaType: 'text/plain',
    readers: 'openssl, cosign',
    onlyIf: onlyIfSigned,
  },
  page('index.html', 'All components on a page.'),
  page('{component}.html', 'A component on a page.'),
  page('api.html', 'Every path on a page.'),
  page('ends.html', 'Every end of support ahead, and those of the last two quarters, by quarter.'),
  page('changes.html', 'What was released and what changed in the last half year, by week.'),
  page('status.html', 'How fresh each component is, and what waits for a person or did not answer.'),
  page('pipelines.html', 'A step for the usual CI systems that judges what they use by policies.'),
  page('verify.html', 'How to check the origin and integrity of the files.'),
  {
    ...page(
      'sign-in.html',
      'What asks for a credential, and how browsers, scripts, Renovate and agents give one.',
    ),
    onlyIf: 'Only where the index asks for a credential.',
  },
  page('404.html', 'What a browser shows for an address that there is not.'),
  {
    path: 'assets/{asset}',
    summary: 'Stylesheet, scripts and icon of the pages. They may change in any way.',
    mediaType: '*/*',
    readers: 'The pages',
  },
  {
    path: 'assets/today.css',
    summary: 'The day of the build, for the pages: it is all of them that moves with the day.',
    mediaType: 'text/css',
    readers: 'The pages',
  },
  {
    path: 'assets/accent.css',
    summary: 'The colours that an index has chosen for itself.',
    mediaType: 'text/css',
    readers: 'The pages',
    onlyIf: 'Only where the index has chosen any.',
  },
  {
    path: 'llms.txt',
    summary: 'What this is and where its machine forms are, in the form of llmstxt.org.',
    mediaType: 'text/plain',
    readers: 'Language models and agents',
  },
  {
    path: 'robots.txt',
    summary: 'What may be crawled: everything, or nothing of an index that asks for a credential.',
    mediaType: 'text/plain',
    readers: 'Crawlers',
  },
  {
    path: 'sitemap.xml',
    summary: 'The addresses of all pages.',
    mediaType: 'application/xml',
    readers: 'Crawlers',
  },
];

/** What the build makes among the assets, which are otherwise published as they are. */
export const generatedAssets: readonly string[] = publishedPaths
  .filter(({ path }) => path.startsWith('assets/') && !path.includes('{'))
  .map(({ path }) => path.slice('assets/'.length));

/** The path for one component. */
export function pathFor(path: string, component: string): string {
  return path.replace('{component}', component);
}

export function isOfComponent({ path }: Pick<PublishedPath, 'path'>): boolean {
  return path.includes('{component}');
}

/** Whether the build makes the path for a component; `hasLatest`: a release of it is supported. */
export function isBuiltFor({ path, onlyIf }: PublishedPath, hasLatest: boolean): boolean {
  return path !== attestationsPath && (onlyIf === undefined || hasLatest);
}

function page(path: string, summary: string): PublishedPath {
  return { path, summary, mediaType: 'text/html', readers: 'People' };
}

/** The pages about the whole site, but for the one that stands for what is missing. */
export const sitePages: readonly string[] = publishedPaths
  .filter(
    (page) => isPage(page) && !isOfComponent(page) && page.onlyIf === undefined && page.path !== '404.html',
  )
  .map(({ path }) => path);

/** Whether people read it in a browser. */
export function isPage({ mediaType }: PublishedPath): boolean {
  return mediaType === 'text/html';
}
