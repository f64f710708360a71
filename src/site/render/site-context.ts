import { tokenEndpoint } from '../../ask/server/access/token-endpoint.ts';
import type { Endpoint } from '../../ask/server/api/endpoint.ts';
import { endpoints } from '../../ask/server/api/router.ts';
import type { Day } from '../../core/model/dates.ts';
import type { AccessConfig } from '../../core/schemas/access/access-config.ts';
import { findHost, type SiteConfig } from '../../core/schemas/definition/site-config.ts';
import type { PublishedChange } from '../../core/schemas/published/changes-file.ts';
import type { PublishedNamedPolicy } from '../../core/schemas/published/policy-scan.ts';
import type { StatusFile } from '../../core/schemas/published/status-file.ts';
import type { Run } from '../../core/schemas/recorded/runs.ts';
import type { Component } from '../../decide/component.ts';
import type { ComponentSummary } from '../../decide/component-summary.ts';
import { nameVariable } from '../../io/http/credentials.ts';
import type { ChangeEntry } from '../../record/journal/events/change-entries.ts';

/** What all documents of a build share: settings, address, day and theme. */
export interface SiteContext {
  readonly config: SiteConfig;
  /** The access rules of a private index; absent for a public index. */
  readonly access?: AccessConfig | undefined;
  /** The address of the published site, without a trailing slash. */
  readonly baseUrl: string;
  readonly day: Day;
  readonly theme: SiteTheme;
  /** The file of the workflow that publishes the index, in its repository; absent if it is the one that `init` writes. */
  readonly workflow?: string | undefined;
  /** Whether a past key signed the statements, and nothing signs `SHA256SUMS` now. */
  readonly hasPastStatements?: boolean;
}

/** The hand-written parts of the pages. */
export interface SiteTheme {
  /** Handlebars templates of pages, by file name without `.hbs`. */
  readonly templates: ReadonlyMap<string, string>;
  /** Handlebars templates of texts to copy, by file name without `.hbs`. */
  readonly snippets: ReadonlyMap<string, string>;
  /** Stylesheet, scripts and icon, published unchanged under `assets/`. */
  readonly assets: ReadonlyMap<string, Uint8Array>;
}

/** A file of the site. The path is relative, with slashes. */
export interface SiteFile {
  readonly path: string;
  readonly body: string | Uint8Array;
}

/** What the files about the whole index are rendered from. */
export interface SiteInput {
  summaries: readonly ComponentSummary[];
  /** The newest changes, newest first. */
  changes: readonly PublishedChange[];
  /** The newest entries of the lists for people, newest first. An entry may stand for several changes. */
  entries: readonly ChangeEntry[];
  /** The first day of which `entries` has all changes; undefined if it has those of every day. */
  entriesFrom: Day | undefined;
  /** Years with a file of changes, newest first. */
  years: readonly string[];
  policies: readonly PublishedNamedPolicy[];
  /** Runs of the last 90 days, newest first. */
  runs: readonly Run[];
  /** The oldest run. Examples show it, since it never changes. */
  firstRun: Run | undefined;
  delay: StatusFile['delay'];
  /** Digest of all inputs of the build. */
  inputs: string;
  /** The component that examples show; absent in an empty index. */
  sample: Component | undefined;
}

/** Whether the host serves only files. Readers then run this program to answer questions. */
export function isStatic({ config }: Pick<SiteContext, 'config'>): boolean {
  return findHost(config) !== 'cloudflare';
}

/** The endpoints of the host: the answers that are not files. */
export function listEndpoints(site: SiteContext): readonly Endpoint[] {
  if (isStatic(site)) {
    return [];
  }

  return site.access ? [...endpoints, tokenEndpoint] : endpoints;
}

/** Whether every file needs a credential. */
export function isClosed({ access }: SiteContext): boolean {
  return access?.protect === 'everything';
}

/** The name of the index as a datasource of Renovate. */
export function nameDatasource({ config }: Pick<SiteContext, 'config'>): string {
  return `custom.${config.datasource}`;
}

/** The canonical address of a page. For the first page, this is the folder. */
export function createCanonicalUrl(site: SiteContext, path: string): string {
  return path === 'index.html' ? `${site.baseUrl}/` : `${site.baseUrl}/${path}`;
}

/**
 * The host in ids, from the configuration even if a trial build is published elsewhere: ids must never change.
 */
export function nameAuthority({ config }: SiteContext): string {
  return new URL(config.releasesUrl).hostname.replaceAll(/[^A-Za-z0-9.-]/g, '');
}

/** `curl` for readers to paste, with the access key from their variable if the index needs one. */
export function writeCurl(site: SiteContext): string {
  return isClosed(site) ? 'curl -H "Authorization: Bearer $RELEASE_INDEX_KEY"' : 'curl';
}

/** A command of this program that reads the index, with the access key if the index needs one. */
export function writeReadingCommand(site: SiteContext, command: string): string {
  return isClosed(site)
    ? `${nameVariable(new URL(site.baseUrl))}="Bearer $RELEASE_INDEX_KEY" ${command}`
    : command;
}
