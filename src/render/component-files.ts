import type { Change } from '../policy/change.ts';
import type { Component } from '../policy/component.ts';
import type { SiteContext, SiteFile } from './site-context.ts';
import { renderComponentFeed } from './atom.ts';
import { renderBadgeFile, renderBadgePicture } from './badge.ts';
import { renderComponentCalendar } from './calendar.ts';
import { renderDetailsFile } from './details-json.ts';
import { renderComponentPage } from './html/component-page.ts';
import { renderReleaseFile } from './release-json.ts';

/**
 * Every file about one component, one at a time, because those of a large component take many megabytes. `changes` are its
 * newest, newest first.
 */
export function* renderComponentFiles(
  component: Component,
  changes: readonly Change[],
  site: SiteContext,
): Generator<SiteFile> {
  const { name, judgement } = component;
  yield { path: `${name}.json`, body: renderReleaseFile(component) };
  yield { path: `details/${name}.json`, body: renderDetailsFile(component) };
  yield { path: `feeds/${name}.atom`, body: renderComponentFeed(component, changes, site) };
  yield { path: `calendars/${name}.ics`, body: renderComponentCalendar(component, site) };
  yield { path: `badges/${name}.json`, body: renderBadgeFile(component) };
  yield { path: `badges/${name}.svg`, body: renderBadgePicture(component) };
  yield { path: `${name}.html`, body: renderComponentPage(component, changes, site) };
  if (judgement.latest) yield { path: `latest/${name}.txt`, body: `${judgement.latest.version}\n` };
}
