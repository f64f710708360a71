import * as z from 'zod';
import { VersionExpression } from '../../core/schemas/definition/source.ts';
import { documented } from '../../core/schemas/keys.ts';
import { UpstreamUrl } from '../../core/schemas/urls.ts';
import { compileExpression, type Groups } from '../../core/text/expression.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { showUrl } from '../../io/http/error.ts';
import { defineSource, EmptyAnswerError, SourceError, type ListedRelease } from './datasource.ts';
import { expectFewEntries } from './shared/document.ts';
import { fileTypes } from './shared/requests.ts';

const pageTypes = ['text/html', 'text/markdown', 'text/plain', 'application/xhtml+xml'];
const otherTypes = [
  ...fileTypes,
  'text/*',
  'application/json',
  'application/xml',
  'application/yaml',
];
const maxBytes = 5 * 1024 * 1024;

/** The most steps of one search; they take about ten seconds. Usual expressions need fewer in the longest page. */
const maxSteps = 500_000_000;
/** Each search ends, but every match can need a search through the whole page. */
const maxMatchingMs = 10_000;

/** Any text document, matched as its source text, not as a browser shows it. Vendors drop old entries, so it only adds. */
export const page = defineSource({
  datasource: 'page',
  coordinates: {
    url: documented(UpstreamUrl, 'Address of the page.', 'https://example.com/downloads/'),
    matchStrings: documented(
      z.array(VersionExpression).min(1),
      'Regular expressions that find releases in the text of the page. Groups: version, and optionally releaseTimestamp (25th March 2026, 2026-03-25).',
      ['Version (?<version>[\\d.]+) \\((?<releaseTimestamp>[^)]+)\\)'],
    ),
  },
  onlyAdds: true,
  async gather({ url, matchStrings }, context) {
    const response = await context.http.fetch({
      url,
      accept: pageTypes,
      alsoAccept: otherTypes,
      maxBytes,
    });
    const text = response.text().replaceAll(/\r\n?/g, '\n');

    const releases: ListedRelease[] = [];
    for (const groups of findAllMatches(text, matchStrings, showUrl(url))) {
      const name = groups['version']?.trim();
      if (name) {
        releases.push({ name, releaseTimestamp: groups['releaseTimestamp']?.trim() || undefined });
      }
    }

    if (releases.length === 0) {
      throw new EmptyAnswerError(`${showUrl(url)} lists no version that its matchStrings find`);
    }

    expectFewEntries(url, releases.length);
    return { releases };
  },
});

/**
 * All matches. Throws a SourceError for a text that is too long for an expression, and when the searches together take too long.
 * `subject`: begins the messages.
 */
export function* findAllMatches(
  text: string,
  matchStrings: readonly string[],
  subject: string,
  maxMs = maxMatchingMs,
): Generator<Groups> {
  const start = performance.now();
  for (const matchString of matchStrings) {
    const expression = compileExpression(`(?m)${matchString}`);
    if (expression.size * text.length > maxSteps) {
      throw new SourceError(
        `${subject}: its ${text.length} characters are too many for the matchString ${quote(matchString)}, which has too many nested repeats`,
      );
    }

    for (const groups of expression.matches(text)) {
      yield groups;

      if (performance.now() - start >= maxMs) {
        throw new SourceError(
          `${subject}: matching takes longer than ${maxMs / 1000} s; a matchString searches the whole page again and again`,
        );
      }
    }
  }
}
