import { detailsOf } from '../decide/details.ts';
import type { Day } from '../core/dates.ts';
import { changesOf } from '../decide/changes.ts';
import { renderComponentFiles } from './render/component-files.ts';
import { readSiteConfig } from '../io/files/read.ts';
import type { Root } from '../io/files/root.ts';
import { loadComponent } from './load-component.ts';
import { readTheme } from './theme.ts';

export interface FileSize {
  path: string;
  bytes: number;
}

/** The largest file that a component would have in the site; undefined if it cannot be built. */
export function largestFileOf(root: Root, name: string, day: Day): FileSize | undefined {
  const config = readSiteConfig(root).value;
  const { component } = loadComponent(root, name, day);
  if (!config || !component) return undefined;
  const site = { config, day, baseUrl: config.releasesUrl, theme: readTheme(root) };
  const changes = changesOf(component);
  let largest: FileSize | undefined;
  for (const { path, body } of renderComponentFiles(component, detailsOf(component), changes, site)) {
    const bytes = Buffer.byteLength(body);
    if (!largest || bytes > largest.bytes) largest = { path, bytes };
  }
  return largest;
}
