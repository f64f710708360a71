import type { PublishedNamedPolicy } from '../../core/schemas/published/policies-file.ts';
import type { Change } from '../../decide/change.ts';
import type { Component, ComponentSummary } from '../../decide/component.ts';
import type { SiteContext, SiteFile } from './site-context.ts';
import { renderAccentStylesheet } from './accent-css.ts';
import { renderSiteFeed } from './atom.ts';
import { renderSiteCalendar } from './calendar.ts';
import { renderRobots, renderSitemap } from './crawlers.ts';
import { renderChangesPage } from './html/changes-page.ts';
import { renderEndsPage } from './html/ends-page.ts';
import { renderIndexPage } from './html/index-page.ts';
import { renderNotFoundPage } from './html/not-found-page.ts';
import { endpointSample } from './endpoint-sample.ts';
import { renderExamples } from './examples.ts';
import { renderApiPage } from './html/api-page.ts';
import { renderPipelinesPage } from './html/pipelines-page.ts';
import { renderSignInPage } from './html/sign-in-page.ts';
import { renderStatusPage } from './html/status-page.ts';
import { renderVerifyPage } from './html/verify-page.ts';
import { renderLlmsText } from './llms-text.ts';
import { renderTodayStylesheet } from './today-css.ts';
import { renderOpenApi } from './openapi.ts';
import { renderHeadersFile } from './headers.ts';
import { renderPreset } from './preset.ts';
import { renderSchemas, renderStatementKind } from './json-schemas.ts';
import { renderSigningKeyFiles } from './signing-key-files.ts';
import { renderChangesFile } from './change-log.ts';
import { renderIndexFile, renderPackagesFile, renderPoliciesFile, renderStatusFile } from './site-json.ts';

export interface SiteInput {
  summaries: readonly ComponentSummary[];
  /** The newest, newest first. */
  changes: readonly Change[];
  /** Those that have a file of changes, newest first. */
  years: readonly string[];
  /** What a scan may ask. */
  policies: readonly PublishedNamedPolicy[];
  /** Digest of everything the site is built from. */
  inputs: string;
  /** The component that examples show; absent in an empty index. */
  sample?: Component;
}

/** Every file about all components, except those that hold something of each: `all.json`, `search.json`, `changes/<year>.json`. */
export function renderSiteFiles(
  site: SiteContext,
  { summaries, changes, years, policies, inputs, sample }: SiteInput,
): SiteFile[] {
  const examples = sample
    ? renderExamples(site, { summaries, changes, policies, sample })
    : new Map<string, string>();
  const requests = sample && endpointSample(sample, changes[0]);
  const { accent, signingPublicKey } = site.config;
  return [
    { path: 'index.json', body: renderIndexFile(summaries.map((summary) => summary.name)) },
    { path: 'packages.json', body: renderPackagesFile(summaries) },
    { path: 'policies.json', body: renderPoliciesFile(policies) },
    { path: 'status.json', body: renderStatusFile(site, summaries, inputs) },
    { path: 'renovate.json', body: renderPreset(site, summaries) },
    { path: 'changes.json', body: renderChangesFile(changes) },
    { path: 'feed.atom', body: renderSiteFeed(site, summaries, changes) },
    { path: 'support.ics', body: renderSiteCalendar(site, summaries) },
    { path: 'robots.txt', body: renderRobots(site) },
    { path: 'sitemap.xml', body: renderSitemap(site, summaries) },
    { path: 'api.html', body: renderApiPage(site, { examples, sample, requests, policies }) },
    { path: 'openapi.json', body: renderOpenApi(site, examples, requests) },
    ...renderSchemas(),
    renderStatementKind(),
    { path: '_headers', body: renderHeadersFile(site.access?.protect) },
    { path: 'index.html', body: renderIndexPage(site, summaries) },
    { path: 'changes.html', body: renderChangesPage(site, summaries, changes, years) },
    { path: 'ends.html', body: renderEndsPage(site, summaries) },
    { path: 'status.html', body: renderStatusPage(site, summaries) },
    { path: 'pipelines.html', body: renderPipelinesPage(site, requests) },
    { path: 'verify.html', body: renderVerifyPage(site, summaries[0]?.name) },
    { path: '404.html', body: renderNotFoundPage(site) },
    { path: 'llms.txt', body: renderLlmsText(site, sample, requests) },
    ...(signingPublicKey === undefined ? [] : renderSigningKeyFiles(signingPublicKey)),
    ...(site.access ? [{ path: 'sign-in.html', body: renderSignInPage(site, site.access) }] : []),
    ...(accent ? [{ path: 'assets/accent.css', body: renderAccentStylesheet(accent) }] : []),
    { path: 'assets/today.css', body: renderTodayStylesheet(site) },
    ...Array.from(site.theme.assets, ([name, body]) => ({ path: `assets/${name}`, body })),
  ];
}
