import { dayNumber, readableDay } from '../../core/model/dates.ts';
import type { Accent } from '../../core/schemas/definition/site-config.ts';
import { computeKeyId, predicatePath, readRawKey } from '../../core/schemas/published/statement.ts';
import type { ComponentSummary } from '../../decide/component.ts';
import { canonicalUrl, pageUrl } from './addresses.ts';
import { renderSiteFeed } from './documents/atom.ts';
import { renderChangesFile } from './documents/change-log.ts';
import { renderDocumentSchemas, renderSchema } from './documents/json-schemas.ts';
import { renderOpenApi } from './documents/openapi.ts';
import { renderIndexFile, renderPoliciesFile, renderStatusFile } from './documents/site-json.ts';
import { exampleValues } from './examples.ts';
import { renderHeadersFile } from './headers.ts';
import { renderApiPage } from './html/api-page.ts';
import { renderChangesPage } from './html/changes-page.ts';
import { renderIndexPage } from './html/index-page.ts';
import { renderStatusPage } from './html/status-page.ts';
import { renderSupportPicture } from './html/support-picture.ts';
import { renderPage, renderTemplate } from './html/templates.ts';
import { renderUsePage } from './html/use-page.ts';
import { listSitePages } from './paths.ts';
import { renderDaysPreset } from './renovate/days-preset.ts';
import { renderOwnPreset, renderPreset } from './renovate/preset.ts';
import { isClosed } from './renovate/reader-commands.ts';
import { isStatic, type SiteContext, type SiteFile } from './site-context.ts';
import type { SiteInput } from './site-input.ts';

/** The number of versions in the example of a list. */
const mostExamples = 4;

/** The files about the whole index, except files with an entry for each component (`all.json`, `search.json`) or year. */
export function renderSiteFiles(site: SiteContext, input: SiteInput): SiteFile[] {
  const { summaries, changes, listed, policies } = input;
  const values = exampleValues(input);
  const { accent, signingPublicKey } = site.config;

  return [
    { path: 'index.json', body: renderIndexFile(summaries) },
    { path: 'endoflife/api/all.json', body: renderIndexFile(summaries) },
    { path: 'policies.json', body: renderPoliciesFile(policies) },
    { path: 'status.json', body: renderStatusFile(site, input) },
    { path: 'renovate.json', body: renderPreset(site, summaries) },
    { path: 'renovate/days.json', body: renderDaysPreset(site, summaries) },
    { path: 'renovate/own.json', body: renderOwnPreset(site) },
    { path: 'changes.json', body: renderChangesFile(changes) },
    { path: 'feed.atom', body: renderSiteFeed(site, summaries, listed) },
    { path: 'robots.txt', body: renderRobots(site) },
    { path: 'sitemap.xml', body: renderSitemap(site, summaries) },
    { path: 'api.html', body: renderApiPage(site, input, values) },
    { path: 'schema/documents.json', body: renderDocumentSchemas() },
    ...(isStatic(site)
      ? []
      : [
          { path: 'openapi.json', body: renderOpenApi(site, values) },
          { path: '_headers', body: renderHeadersFile(site.access?.protect) },
        ]),
    { path: 'index.html', body: renderIndexPage(site, summaries) },
    { path: 'changes.html', body: renderChangesPage(site, input) },
    { path: 'support.svg', body: renderSupportPicture(site, summaries) },
    { path: 'mine.html', body: renderMinePage(site, summaries) },
    { path: 'status.html', body: renderStatusPage(site, input) },
    { path: 'use.html', body: renderUsePage(site, summaries) },
    { path: '404.html', body: renderPage(site, '404', {}) },
    ...(signingPublicKey === undefined ? [] : renderSigningFiles(signingPublicKey)),
    { path: 'assets/today.css', body: renderTodayStylesheet(site) },
    ...Array.from(site.theme.assets, ([name, body]) => ({
      path: `assets/${name}`,
      body: accent && name === 'site.css' ? addAccent(body, accent) : body,
    })),
  ];
}

function renderMinePage(site: SiteContext, summaries: readonly ComponentSummary[]): string {
  const versions = chooseExamples(summaries);
  const link = versions.map(({ name, version }) => `${name}@${encodeURIComponent(version)}`);
  return renderPage(site, 'mine', {
    example: versions.map(({ name, version }) => `${name} ${version}`).join('\n'),
    exampleLink: link.join(','),
  });
}

/** A few versions that somebody may run: first those that there is a reason to move off. */
function chooseExamples(
  summaries: readonly ComponentSummary[],
): { name: string; version: string }[] {
  const moved = summaries.flatMap(({ name, lines }) =>
    lines
      .filter(({ moveTo }) => moveTo !== '')
      .slice(-1)
      .map((line) => ({ name, version: line.name })),
  );
  const newest = summaries.flatMap(({ name, latest }) =>
    latest && !moved.some((each) => each.name === name) ? [{ name, version: latest.version }] : [],
  );
  return [...moved, ...newest].slice(0, mostExamples);
}

/** `assets/site.css` with the configured colours. Print stays black and white. */
function addAccent(stylesheet: Uint8Array, { light, dark }: Accent): string {
  const color = `light-dark(${light},${dark})`;
  return `${Buffer.from(stylesheet)}@media screen{:root{--brand:${color};--link:${color}}}\n`;
}

/**
 * `assets/today.css`: the day of the build, as text and as days since 1970 for drawing. Pages refer to this file, so they do not
 * change every day.
 */
function renderTodayStylesheet({ day }: SiteContext): string {
  return `:root{--today:${dayNumber(day)};--day:"${readableDay(day)}"}\n`;
}

/** The header before the 32 bytes of an Ed25519 key (RFC 8410, section 4). */
const spkiHead = Buffer.from('302a300506032b6570032100', 'hex');

/** The public key in the format of minisign and as PEM, and the form of the statements that it signs. */
function renderSigningFiles(publicKey: string): SiteFile[] {
  const spki = Buffer.concat([spkiHead, readRawKey(publicKey)]).toString('base64');

  return [
    { path: predicatePath, body: renderSchema('release-statement') },
    {
      path: 'signing-key.pub',
      body: `untrusted comment: minisign public key ${computeKeyId(publicKey)}\n${publicKey}\n`,
    },
    {
      path: 'signing-key.pem',
      body: `-----BEGIN PUBLIC KEY-----\n${spki}\n-----END PUBLIC KEY-----\n`,
    },
  ];
}

/** `robots.txt`: everything is public, or nothing. */
export function renderRobots(site: SiteContext): string {
  if (isClosed(site)) {
    return 'User-agent: *\nDisallow: /\n';
  }

  return `User-agent: *\nAllow: /\n\nSitemap: ${site.baseUrl}/sitemap.xml\n`;
}

/** `sitemap.xml` (sitemaps.org, 0.9). It has no days, so it changes only with the list of pages. */
export function renderSitemap(site: SiteContext, summaries: readonly ComponentSummary[]): string {
  const pages = [
    ...listSitePages(site).map((path) => canonicalUrl(site, path)),
    ...summaries.map(({ name }) => pageUrl(site, name)),
  ];
  return renderTemplate(site.theme, 'sitemap', { pages });
}
