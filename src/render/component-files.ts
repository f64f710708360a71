import type { Change } from '../model/change.ts';
import type { Component, SiteContext, SiteFile } from '../model/component.ts';
import { renderComponentFeed } from './atom.ts';
import { renderBadgeFile, renderBadgePicture } from './badge.ts';
import { renderComponentCalendar } from './calendar.ts';
import { renderDetailsFile } from './details-file.ts';
import { renderComponentPage } from './html/component-page.ts';
import { renderReleaseFile } from './release-file.ts';

/** Every file that is about one component alone; the release file comes first. `changes` are its newest, newest first. */
export function renderComponentFiles(
  component: Component,
  changes: readonly Change[],
  site: SiteContext,
): [SiteFile, ...SiteFile[]] {
  const { name, judgement } = component;
  const files: [SiteFile, ...SiteFile[]] = [
    { path: `${name}.json`, body: renderReleaseFile(component) },
    { path: `details/${name}.json`, body: renderDetailsFile(component) },
    { path: `feeds/${name}.atom`, body: renderComponentFeed(component, changes, site) },
    { path: `calendars/${name}.ics`, body: renderComponentCalendar(component, site) },
    { path: `badges/${name}.json`, body: renderBadgeFile(component) },
    { path: `badges/${name}.svg`, body: renderBadgePicture(component) },
    { path: `${name}.html`, body: renderComponentPage(component, changes, site) },
  ];
  if (judgement.latest) files.push({ path: `latest/${name}.txt`, body: `${judgement.latest.version}\n` });
  return files;
}
