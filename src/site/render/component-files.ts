import type { DetailsFile } from '../../core/schemas/published/details-file.ts';
import type { ListedChange } from '../../record/journal/events/published-events.ts';
import type { Partners } from '../../decide/partners.ts';
import type { Component } from '../../decide/component.ts';
import { detailsOn } from '../../ask/answers/details-on.ts';
import { isPacked, packDetails } from '../../ask/answers/packed-details.ts';
import { supportedVersions } from '../../ask/answers/supported-lines.ts';
import type { SiteContext, SiteFile } from './site-context.ts';
import { renderComponentFeed } from './documents/atom.ts';
import { renderBadgeFile, renderBadgePicture } from './documents/badge.ts';
import { renderComponentCalendar } from './documents/support-calendar.ts';
import { renderDetailsFile, renderReleaseFile } from './documents/component-json.ts';
import { renderReleaseCycles } from './documents/endoflife-json.ts';
import { renderComponentPage } from './html/component-page.ts';
import { renderPage } from './html/templates.ts';
import { pathFor } from './paths.ts';

/**
 * Yields the files of a component one at a time, because the files of a large component take many megabytes. Machine-readable
 * files also exist under earlier names. `changes`: the changes of the component, newest first.
 */
export function* renderComponentFiles(
  component: Component,
  details: DetailsFile,
  changes: readonly ListedChange[],
  site: SiteContext,
  partners: Partners = new Map(),
): Generator<SiteFile> {
  const { name, definition } = component;
  const { renamedFrom = [] } = definition;

  for (const { path, body } of renderMachineFiles(component, details, changes, site)) {
    for (const each of [name, ...renamedFrom]) {
      yield { path: pathFor(path, each), body };
    }
  }

  yield { path: `${name}.html`, body: renderComponentPage(component, changes, site, partners) };

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
export function* renderMachineFiles(
  component: Component,
  details: DetailsFile,
  changes: readonly ListedChange[],
  site: SiteContext,
): Generator<SiteFile> {
  const { latest } = component.judgement;

  yield { path: '{component}.json', body: renderReleaseFile(component) };
  yield { path: 'details/{component}.json', body: renderDetailsFile(details) };

  if (isPacked(details.releases.length)) {
    yield {
      path: 'assets/facts/{component}.json',
      body: `${JSON.stringify(packDetails(details))}\n`,
    };
  }

  const today = detailsOn(details, site.day);

  yield { path: 'endoflife/api/{component}.json', body: renderReleaseCycles(today) };
  yield { path: 'feeds/{component}.atom', body: renderComponentFeed(component, changes, site) };
  yield { path: 'calendars/{component}.ics', body: renderComponentCalendar(component, site) };
  yield { path: 'badges/{component}.json', body: renderBadgeFile(component) };
  yield { path: 'badges/{component}.svg', body: renderBadgePicture(component) };

  yield {
    path: 'supported/{component}.json',
    body: `${JSON.stringify(supportedVersions(today))}\n`,
  };

  if (latest) {
    yield { path: 'latest/{component}.txt', body: `${latest.version}\n` };
  }
}
