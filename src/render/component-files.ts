import type { Component, SiteContext, SiteFile } from '../model/component.ts';
import { renderDetailsFile } from './details-file.ts';
import { renderReleaseFile } from './release-file.ts';

/** Every file that is about one component alone. The release file comes first. */
export function renderComponentFiles(component: Component, _site: SiteContext): [SiteFile, ...SiteFile[]] {
  const { name, judgement } = component;
  const files: [SiteFile, ...SiteFile[]] = [
    { path: `${name}.json`, body: renderReleaseFile(component) },
    { path: `details/${name}.json`, body: renderDetailsFile(component) },
  ];
  if (judgement.latest) files.push({ path: `latest/${name}.txt`, body: `${judgement.latest.version}\n` });
  return files;
}
