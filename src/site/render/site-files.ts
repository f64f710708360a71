import { encodeEntries } from '../../ask/plan/plan-link.ts';
import { countDaysSinceEpoch, formatDay } from '../../core/model/dates.ts';
import { predicatePath } from '../../core/schemas/published/statement.ts';
import { writeMinisignKey, writePemKey } from '../../core/schemas/signing-public-key.ts';
import type { ComponentSummary } from '../../decide/component-summary.ts';
import { renderSiteFeed } from './documents/atom.ts';
import { renderEntries } from './documents/change-log.ts';
import { renderDocumentSchemas, renderSchema } from './documents/json-schemas.ts';
import { renderOpenApi } from './documents/openapi.ts';
import { renderPoliciesFile } from './documents/policies-json.ts';
import { renderStatusFile } from './documents/status-json.ts';
import { chooseExampleVersions, findExampleValues } from './examples.ts';
import { renderHeadersFile } from './headers.ts';
import { renderApiPage } from './html/api-page.ts';
import { renderChangesPage } from './html/changes-page.ts';
import { renderSupportPicture } from './html/ends-ahead.ts';
import { renderIndexPage } from './html/index-page.ts';
import { renderStatusPage } from './html/status-page.ts';
import { renderPage, renderTemplate } from './html/templates.ts';
import { renderUsePage } from './html/use-page.ts';
import { renderDaysPreset } from './renovate/days-preset.ts';
import { renderOwnPreset, renderPreset } from './renovate/preset.ts';
import { listSitePages } from './paths.ts';
import {
  createCanonicalUrl,
  isClosed,
  isStatic,
  type SiteContext,
  type SiteFile,
  type SiteInput,
} from './site-context.ts';

/**
 * The files about the whole index, except those that the build collects on its way: `all.json`, `search.json`,
 * `compatibility.json`, `support.ics` and the files of years.
 */
export function renderSiteFiles(site: SiteContext, input: SiteInput): SiteFile[] {
  const { day } = site;
  const { summaries, changes, entries, policies } = input;
  const values = findExampleValues(input);
  const names = `${JSON.stringify(summaries.map(({ name }) => name))}\n`;
  const bodies: Record<string, SiteFile['body']> = {
    // For programs.
    'index.json': names,
    'endoflife/api/all.json': names,
    'policies.json': renderPoliciesFile(policies),
    'status.json': renderStatusFile(site, input),
    'renovate.json': renderPreset(site, summaries),
    'renovate/days.json': renderDaysPreset(site, summaries),
    'renovate/own.json': renderOwnPreset(site),
    'changes.json': renderEntries('changes', changes).body,
    'feed.atom': renderSiteFeed(site, summaries, entries),
    'robots.txt': renderRobots(site),
    'sitemap.xml': renderSitemap(site, summaries),
    'schema/documents.json': renderDocumentSchemas(),

    // For people.
    'index.html': renderIndexPage(site, summaries),
    'api.html': renderApiPage(site, input, values),
    'changes.html': renderChangesPage(site, input),
    'support.svg': renderSupportPicture(site, summaries),
    'mine.html': renderMinePage(site, summaries),
    'status.html': renderStatusPage(site, input),
    'use.html': renderUsePage(site, summaries),
    '404.html': renderPage(site, '404', {}),

    // For every page.
    // The day of the build, as text and as days since 1970 for drawing. Pages refer to this file, so they do not change every day.
    'assets/today.css': `:root{--today:${countDaysSinceEpoch(day)};--day:"${formatDay(day)}"}\n`,
  };

  // A plain file host answers no questions, and has settings of its own.
  if (!isStatic(site)) {
    bodies['openapi.json'] = renderOpenApi(site, values);
    bodies['_headers'] = renderHeadersFile(site.access?.protect);
  }

  const { signingPublicKey } = site.config;
  if (signingPublicKey !== undefined) {
    bodies[predicatePath] = renderSchema('release-statement');
    bodies['signing-key.pub'] = writeMinisignKey(signingPublicKey);
    bodies['signing-key.pem'] = writePemKey(signingPublicKey);
  }
  for (const [name, bytes] of site.theme.assets) {
    if (name !== 'expressions.js' || summaries.some(hasExpression)) {
      bodies[`assets/${name}`] = bytes;
    }
  }

  return Object.entries(bodies).map(([path, body]) => ({ path, body }));
}

/** Whether pages need the engine of regular expressions for the versions of a component's packages. */
function hasExpression({ definition }: ComponentSummary): boolean {
  return definition.sources.some(({ extractVersion }) => extractVersion !== undefined);
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
  const paths = [...listSitePages(), ...summaries.map(({ name }) => `${name}.html`)];
  const pages = paths.map((path) => createCanonicalUrl(site, path));
  return renderTemplate(site.theme, 'sitemap', { pages });
}

/** `mine.html`, with an example of a list and its link. */
function renderMinePage(site: SiteContext, summaries: readonly ComponentSummary[]): string {
  const versions = chooseExampleVersions(summaries);
  return renderPage(site, 'mine', {
    example: versions.map(({ name, version }) => `${name} ${version}`).join('\n'),
    exampleLink: encodeEntries(versions.map(({ name, version }) => `${name}@${version}`)),
  });
}
