import { computeDetailsOn, listSupportedVersions } from '../../ask/answers/component-on.ts';
import type { Component } from '../../decide/component.ts';
import { describeDetails } from '../../decide/details.ts';
import { toPublishedEvents } from '../../decide/event-words.ts';
import type { ComparedComponents } from '../../decide/partners.ts';
import { listChangeEntries } from '../../record/journal/events/change-entries.ts';
import { renderComponentFeed } from './documents/atom.ts';
import { renderBadgeFile, renderBadgePicture } from './documents/badge.ts';
import { renderCycles } from './documents/endoflife-json.ts';
import { renderDetailsFile, renderReleaseFile } from './documents/releases-json.ts';
import { listSupportEvents, renderCalendar } from './documents/support-calendar.ts';
import { renderComponentPage } from './html/component-page.ts';
import { renderPage } from './html/templates.ts';
import { fillPath } from './paths.ts';
import type { SiteContext, SiteFile } from './site-context.ts';

/** The contents that several documents of a component share, computed once. */
export type ComponentContents = ReturnType<typeof renderContents>;

export function renderContents(component: Component, site: SiteContext) {
  const details = describeDetails(component);
  const events = toPublishedEvents(component.journal);
  return {
    releaseFile: renderReleaseFile(component),
    details,
    today: computeDetailsOn(details, component.judgement.day),
    // Oldest first.
    events,
    // Newest first.
    changes: listChangeEntries(events),
    ends: listSupportEvents(component, site),
  };
}

/** The files of a component. Machine-readable files also exist under its earlier names. */
export function renderComponentFiles(
  component: Component,
  contents: ComponentContents,
  site: SiteContext,
  comparedComponents: ComparedComponents = new Map(),
): SiteFile[] {
  const { name, definition } = component;
  const { title, renamedFrom = [] } = definition;
  const page = `${name}.html`;
  const files = [
    { path: page, body: renderComponentPage(component, contents, site, comparedComponents) },
  ];
  for (const old of renamedFrom) {
    // The canonical address is the page of the new name.
    const body = renderPage(site, 'renamed', { name, old, title }, { path: page });
    files.push({ path: `${old}.html`, body });
  }

  for (const [path, body] of Object.entries(renderMachineFiles(component, contents, site))) {
    for (const each of [name, ...renamedFrom]) {
      files.push({ path: fillPath(path, each), body });
    }
  }
  return files;
}

/** The machine-readable files of a component, by the paths that `describedPaths` lists. */
function renderMachineFiles(
  component: Component,
  { releaseFile, details, today, changes, ends }: ComponentContents,
  site: SiteContext,
): Record<string, string> {
  const { name, definition, judgement } = component;
  const bodies: Record<string, string> = {
    '{component}.json': releaseFile,
    'details/{component}.json': renderDetailsFile(details),
    'endoflife/api/{component}.json': `${JSON.stringify(renderCycles(today))}\n`,
    'feeds/{component}.atom': renderComponentFeed(component, changes, site),
    'calendars/{component}.ics': renderCalendar(
      `calendars/${name}.ics`,
      definition.title,
      ends,
      site,
    ),
    'badges/{component}.json': renderBadgeFile(component),
    'badges/{component}.svg': renderBadgePicture(component),
    'supported/{component}.json': `${JSON.stringify(listSupportedVersions(today))}\n`,
  };
  if (judgement.latest) {
    bodies['latest/{component}.txt'] = `${judgement.latest.version}\n`;
  }
  return bodies;
}
