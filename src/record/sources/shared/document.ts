import * as z from 'zod';
import { describeProblems } from '../../../core/schemas/problems.ts';
import { show } from '../../../core/text/show.ts';
import { formatCount } from '../../../core/text/wording.ts';
import type { HttpResponse } from '../../../io/http/client.ts';
import { SourceError } from '../datasource.ts';

/** A package with ten thousand versions has about four million parts. Parsed, each may need 50 bytes or more. */
const maxJsonParts = 8_000_000;

/** Reads a document by its schema. Throws if it has another shape. */
export function readJson<T>(response: HttpResponse, schema: z.ZodType<T>): T {
  expectFewParts(response.url, response.text(), /[,[{]/g, maxJsonParts);
  return readBySchema(response.url, response.json(), schema);
}

export function readBySchema<T>(url: string, document: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(document);
  if (parsed.success) {
    return parsed.data;
  }

  // A document that does not fit its schema has at least one problem.
  throw SourceError.at(url, describeProblems(document, schema)[0]!);
}

/** An optional text in a registry's document. Anything else is ignored. */
export const Stated = z
  .string()
  .transform((text) => text.trim() || undefined)
  .optional()
  .catch(undefined);

/** Throws if a document is about another package than requested. */
export function expectPackage(url: string, expected: string, got: string | undefined): void {
  if (got === undefined || got === expected) {
    return;
  }

  throw SourceError.at(url, `expected the document of "${expected}"; got that of ${show(got)}`);
}

/** More than any product has. Each version needs memory, and space in `data/` and in the site. */
const maxVersions = 100_000;

/** Throws if a list is implausibly long. */
export function expectFew(url: string, count: number): void {
  if (count <= maxVersions) {
    return;
  }

  const most = formatCount(maxVersions, 'version');
  throw SourceError.at(
    url,
    `lists ${formatCount(count, 'version')}, more than the ${most} that we take`,
  );
}

/** The lines of a list of versions that are not empty. Throws if there are implausibly many. */
export function listLines(url: string, text: string): string[] {
  expectFewParts(url, text, /\n/g, maxVersions);
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** Throws if a parsed document would need too much memory. `part`: a global expression for the beginning of each part. */
export function expectFewParts(url: string, text: string, part: RegExp, most: number): void {
  if (text.length <= most) {
    return;
  }

  let count = 0;
  while (part.test(text)) {
    count += 1;
    if (count > most) {
      throw SourceError.at(url, `has more than the ${formatCount(most, 'part')} that we read`);
    }
  }
}
