import { supportedVersions, withStates, type DetailsOn } from '../../ask/answers/details-on.ts';
import type { CalendarEvent } from '../../ask/server/formats/write-calendar.ts';
import type { DetailsFile } from '../../core/schemas/published/details-file.ts';
import type { Component } from '../../decide/component.ts';
import { describeDetails } from '../../decide/details.ts';
import type { Partners } from '../../decide/partners.ts';
import type { ListedChange } from '../../record/journal/events/published-events.ts';
import { listChanges, publishedEvents } from '../../record/journal/events/published-events.ts';
import { renderComponentFeed } from './documents/atom.ts';
import { renderBadgeFile, renderBadgePicture } from './documents/badge.ts';
import { renderDetailsFile, renderReleaseFile } from './documents/component-json.ts';
import { renderReleaseCycles } from './documents/endoflife-json.ts';
import { listSupportEvents, renderComponentCalendar } from './documents/support-calendar.ts';
import { renderComponentPage } from './html/component-page.ts';
import { renderPage } from './html/templates.ts';
import { pathFor } from './paths.ts';
import type { SiteContext, SiteFile } from './site-context.ts';

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
    today: withStates(details, component.judgement),
    changes: listChanges(publishedEvents(component.journal)),
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
      yield { path: pathFor(path, each), body };
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
    body: `${JSON.stringify(supportedVersions(today))}\n`,
  };

  if (latest) {
    yield { path: 'latest/{component}.txt', body: `${latest.version}\n` };
  }
}
