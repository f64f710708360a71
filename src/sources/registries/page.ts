import { compilePattern } from '../../core/pattern.ts';
import { SourceError } from '../http/failures.ts';
import type { Datasource, StatedRelease } from '../types.ts';

interface PageSource {
  url: string;
  matchStrings: string[];
}

/**
 * Reads releases from a web page, with regular expressions for its source text. Vendors remove old entries from their pages, so the list
 * counts as partial.
 */
export const page: Datasource<PageSource> = {
  async list({ url, matchStrings }, { http }) {
    const response = await http.fetch({
      url,
      accept: 'text/html, text/markdown, text/plain',
      maxBytes: 5 * 1024 * 1024,
    });
    const text = response.text().replaceAll(/\r\n?/g, '\n');

    const releases = new Map<string, StatedRelease>();
    for (const groups of findAllMatches(url, text, matchStrings)) {
      const version = groups['version']?.trim();
      // For each version, the first match with a date is used, or else the last match.
      if (version && !releases.get(version)?.releaseTimestamp) {
        releases.set(version, { version, releaseTimestamp: groups['releaseTimestamp']?.trim() });
      }
    }
    if (releases.size === 0) {
      throw SourceError.at(url, 'lists no version that its matchStrings find');
    }

    return { releases: [...releases.values()], notes: [], isPartial: true };
  },
};

const maxMs = 10_000;

/** Yields the matches in a page. Throws if this takes too long, because each match may search through the whole page. */
function* findAllMatches(url: string, text: string, matchStrings: readonly string[]) {
  const start = performance.now();
  for (const matchString of matchStrings) {
    for (const groups of compilePattern(`(?m)${matchString}`).matchAll(text)) {
      yield groups;
      if (performance.now() - start > maxMs) {
        throw SourceError.at(url, `matching takes longer than ${maxMs / 1000} s`);
      }
    }
  }
}
