import {
  computeDetailsOn,
  listSupportedVersions,
  type DetailsOn,
} from '../../ask/answers/details-on.ts';
import type { CalendarEvent } from '../../ask/server/formats/write-calendar.ts';
import { countDaysSinceEpoch, formatDay } from '../../core/model/dates.ts';
import type { Accent } from '../../core/schemas/definition/site-config.ts';
import type { DetailsFile } from '../../core/schemas/published/details-file.ts';
import { computeKeyId, predicatePath, readRawKey } from '../../core/schemas/published/statement.ts';
import type { Component, ComponentSummary } from '../../decide/component.ts';
import { describeDetails } from '../../decide/details.ts';
import type { Partners } from '../../decide/partners.ts';
import {
  listChanges,
  toPublishedEvents,
  type ListedChange,
} from '../../record/journal/events/published-events.ts';
import { createCanonicalUrl, isClosed, createPageUrl } from './addresses.ts';
import { renderComponentFeed, renderSiteFeed } from './documents/atom.ts';
import { renderBadgeFile, renderBadgePicture } from './documents/badge.ts';
import { renderChangesFile } from './documents/change-log.ts';
import { renderDetailsFile, renderReleaseFile } from './documents/component-json.ts';
import { renderReleaseCycles } from './documents/endoflife-json.ts';
import { renderDocumentSchemas, renderSchema } from './documents/json-schemas.ts';
import { renderOpenApi } from './documents/openapi.ts';
import { renderIndexFile, renderPoliciesFile, renderStatusFile } from './documents/site-json.ts';
import { listSupportEvents, renderComponentCalendar } from './documents/support-calendar.ts';
import { findExampleValues } from './examples.ts';
import { renderHeadersFile } from './headers.ts';
import { renderApiPage } from './html/api-page.ts';
import { renderChangesPage } from './html/changes-page.ts';
import { renderComponentPage } from './html/component-page.ts';
import { renderSupportPicture } from './html/support-picture.ts';
import { renderIndexPage } from './html/index-page.ts';
import { renderStatusPage } from './html/status-page.ts';
import { renderPage, renderTemplate } from './html/templates.ts';
import { renderUsePage } from './html/use-page.ts';
import { listSitePages, fillPath } from './paths.ts';
import { renderDaysPreset } from './renovate/days-preset.ts';
import { renderOwnPreset, renderPreset } from './renovate/preset.ts';
import { isStatic, type SiteContext, type SiteFile, type SiteInput } from './site-context.ts';

/** The number of versions in the example of a list. */
const mostExamples = 4;

/** The files about the whole index, except files with an entry for each component (`all.json`, `search.json`) or year. */
export function renderSiteFiles(site: SiteContext, input: SiteInput): SiteFile[] {
  const { summaries, changes, listed, policies } = input;
  const values = findExampleValues(input);
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
function chooseExamples(summaries: readonly ComponentSummary[]) {
  const moved = [];
  const newest = [];
  for (const { name, lines, latest } of summaries) {
    const line = lines.findLast(({ moveTo }) => moveTo !== '');
    if (line) {
      moved.push({ name, version: line.name });
    } else if (latest) {
      newest.push({ name, version: latest.version });
    }
  }
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
  return `:root{--today:${countDaysSinceEpoch(day)};--day:"${formatDay(day)}"}\n`;
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
    ...listSitePages(site).map((path) => createCanonicalUrl(site, path)),
    ...summaries.map(({ name }) => createPageUrl(site, name)),
  ];
  return renderTemplate(site.theme, 'sitemap', { pages });
}

/** The contents that several documents of a component share, computed once. */
export interface ComponentContents {
  /** `<component>.json` */
  readonly releaseFile: string;
  readonly details: DetailsFile;
  readonly today: DetailsOn;
  /** Newest first. */
  readonly changes: readonly ListedChange[];
  readonly ends: CalendarEvent[];
}

export function renderContents(component: Component, site: SiteContext): ComponentContents {
  const details = describeDetails(component);
  return {
    releaseFile: renderReleaseFile(component),
    details,
    today: computeDetailsOn(details, component.judgement.day),
    changes: listChanges(toPublishedEvents(component.journal)),
    ends: listSupportEvents(component, site),
  };
}

/**
 * Yields the files of a component one at a time, because the files of a large component take many megabytes. Machine-readable
 * files also exist under earlier names.
 */
export function* renderComponentFiles(
  component: Component,
  contents: ComponentContents,
  site: SiteContext,
  partners: Partners = new Map(),
): Generator<SiteFile> {
  const { name, definition } = component;
  const { renamedFrom = [] } = definition;
  for (const { path, body } of renderMachineFiles(component, contents, site)) {
    for (const each of [name, ...renamedFrom]) {
      yield { path: fillPath(path, each), body };
    }
  }
  yield {
    path: `${name}.html`,
    body: renderComponentPage(component, contents, site, partners),
  };

  for (const old of renamedFrom) {
    const view = { name, old, title: definition.title };
    // The canonical address is the page of the new name.
    yield {
      path: `${old}.html`,
      body: renderPage(site, 'renamed', view, { path: `${name}.html` }),
    };
  }
}

/** The machine-readable files. Each path has `{component}` in place of the name. */
function* renderMachineFiles(
  component: Component,
  { releaseFile, details, today, changes, ends }: ComponentContents,
  site: SiteContext,
): Generator<SiteFile> {
  const { latest } = component.judgement;

  yield { path: '{component}.json', body: releaseFile };
  yield { path: 'details/{component}.json', body: renderDetailsFile(details) };
  yield { path: 'endoflife/api/{component}.json', body: renderReleaseCycles(today) };
  yield { path: 'feeds/{component}.atom', body: renderComponentFeed(component, changes, site) };
  yield { path: 'calendars/{component}.ics', body: renderComponentCalendar(component, site, ends) };
  yield { path: 'badges/{component}.json', body: renderBadgeFile(component) };
  yield { path: 'badges/{component}.svg', body: renderBadgePicture(component) };

  yield {
    path: 'supported/{component}.json',
    body: `${JSON.stringify(listSupportedVersions(today))}\n`,
  };

  if (latest) {
    yield { path: 'latest/{component}.txt', body: `${latest.version}\n` };
  }
}
