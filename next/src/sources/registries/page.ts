import { compilePattern } from '../../core/pattern.ts';
import { checkRelease } from '../documents.ts';
import { SourceError } from '../http/failures.ts';
import type { Datasource, SourceRelease } from '../types.ts';

interface PageSource {
  url: string;
  matchStrings: string[];
}

/** Any text document, matched as its source text. Vendors drop old entries, so it is never the whole list. */
export const page: Datasource<PageSource> = {
  async list({ url, matchStrings }, { http, day }) {
    const response = await http.fetch({
      url,
      accept: 'text/html, text/markdown, text/plain',
      maxBytes: 5 * 1024 * 1024,
    });
    const text = response.text().replaceAll(/\r\n?/g, '\n');

    const notes: string[] = [];
    const releases = new Map<string, SourceRelease>();
    for (const groups of findAllMatches(url, text, matchStrings)) {
      const version = groups['version']?.trim();
      if (version && !releases.get(version)?.releaseTimestamp) {
        releases.set(
          version,
          checkRelease(
            { version, releaseTimestamp: groups['releaseTimestamp']?.trim() },
            day,
            notes,
          ),
        );
      }
    }
    if (releases.size === 0) {
      throw SourceError.at(url, 'lists no version that its matchStrings find');
    }

    return { releases: [...releases.values()], notes, isPartial: true };
  },
};

/** RE2 needs no more steps than this for a search of some ten seconds, but each match may be a search through the whole page. */
const maxSteps = 500_000_000;
const maxMs = 10_000;

function* findAllMatches(url: string, text: string, matchStrings: readonly string[]) {
  const start = performance.now();
  for (const matchString of matchStrings) {
    const expression = compilePattern(`(?m)${matchString}`);
    for (const groups of expression.size * text.length > maxSteps
      ? []
      : expression.matchAll(text)) {
      yield groups;
      if (performance.now() - start > maxMs) {
        throw SourceError.at(url, `matching takes longer than ${maxMs / 1000} s`);
      }
    }
  }
}
