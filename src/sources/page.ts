import { showUrl } from '../http/error.ts';
import { EmptyAnswerError, type SourceAdapter, type SourceRelease } from './source.ts';

const pageTypes = ['text/html', 'text/markdown', 'text/plain', 'application/xhtml+xml'];
const otherTypes = [
  'text/*',
  'application/json',
  'application/xml',
  'application/yaml',
  'application/octet-stream',
];
/** An expression that backtracks takes longer the longer the text is. */
const maxBytes = 5 * 1024 * 1024;

/** Any document that people read, matched as it is sent. Vendors drop old entries from such pages. */
export const page: SourceAdapter<'page'> = {
  datasource: 'page',
  onlyAdds: true,
  async gather({ url, matchStrings }, context) {
    const response = await context.http.fetch({ url, accept: pageTypes, alsoAccept: otherTypes, maxBytes });
    const text = response.text().replaceAll('\r\n', '\n');

    const found = new Map<string, string | undefined>();
    for (const expression of matchStrings) {
      for (const { groups } of text.matchAll(new RegExp(expression, 'gm'))) {
        const version = groups?.['version']?.trim();
        if (!version) continue;
        // A page may name a version in its table of contents before it dates it.
        found.set(version, found.get(version) ?? groups?.['releaseTimestamp']?.trim());
      }
    }
    if (found.size === 0)
      throw new EmptyAnswerError(`${showUrl(url)} lists no version: none of its matchStrings matches`);

    const releases: SourceRelease[] = [];
    for (const [listed, releaseTimestamp] of found) {
      const version = context.offer(listed);
      if (version !== undefined) releases.push({ version, ...(releaseTimestamp && { releaseTimestamp }) });
    }
    return releases;
  },
};
