import { isOfComponent, publishedPaths, type PublishedPath } from './paths.ts';

/** The pages about the whole site, but for the one that stands for what is missing. */
export const sitePages: readonly string[] = publishedPaths
  .filter(
    (page) => isPage(page) && !isOfComponent(page) && page.onlyIf === undefined && page.path !== '404.html',
  )
  .map(({ path }) => path);

/** Whether people read it in a browser. */
export function isPage({ mediaType }: PublishedPath): boolean {
  return mediaType === 'text/html';
}
