/** Documents of upstreams that list releases: their schemas and limits, their entries, and the facts in an entry. */
import { FAILSAFE_SCHEMA, load, YAMLException } from 'js-yaml';
import * as z from 'zod';
import parse from 'semver/functions/parse.js';
import { describeProblems } from '../../../core/schemas/problems.ts';
import { toLine } from '../../../core/text/foreign-text.ts';
import { showValue } from '../../../core/text/show.ts';
import { formatCount, formatNumber } from '../../../core/text/wording.ts';
import type { HttpResponse } from '../../../io/http/client.ts';
import { showUrl } from '../../../io/http/error.ts';
import {
  EmptyAnswerError,
  SourceError,
  type ListedName,
  type ListedRelease,
  type StatedFacts,
} from '../datasource.ts';
import { isPrereleaseForm, isReleaseForm } from '../../../core/model/prerelease.ts';

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

/**
 * Reads YAML with all values as text: with YAML's own types, the version 1.10 would be the number 1.1. Rejects aliases: a few can
 * expand without end, and no such document needs them.
 */
export function parseYaml(url: string, text: string): unknown {
  expectFewParts(url, text, /[\n,[{]/g, 2_000_000);

  try {
    return load(text, { schema: FAILSAFE_SCHEMA, maxAliases: 0, maxDepth: 50 });
  } catch (error) {
    if (!(error instanceof YAMLException)) {
      throw error;
    }

    const line = error.mark ? ` (line ${error.mark.line + 1})` : '';
    throw SourceError.at(url, `cannot be read as YAML: ${toLine(error.reason, 200)}${line}`, {
      cause: error,
    });
  }
}

/** An optional text in a registry's document. Anything else is ignored. */
export const OptionalText = z
  .string()
  .transform((text) => text.trim() || undefined)
  .optional()
  .catch(undefined);

/** Throws if a document is about another package than requested. */
export function expectPackage(url: string, expected: string, got: string | undefined): void {
  if (got === undefined || got === expected) {
    return;
  }

  throw SourceError.at(
    url,
    `expected the document of "${expected}"; got that of ${showValue(got)}`,
  );
}

/** An unchecked element of an upstream's list, with its version or tag. */
export interface RawElement {
  name: unknown;
  value: unknown;
}

/** The elements of a list, named by the value under `key`; without `key`, each element is a name. */
export function listElements(list: readonly unknown[], key?: string): RawElement[] {
  return list.map((value) => ({
    name: key === undefined ? value : (value as Record<string, unknown> | null)?.[key],
    value,
  }));
}

/** The elements of an object or map, by key. */
export function toElements(
  entries: Iterable<readonly [name: string, value: unknown]>,
): RawElement[] {
  return Array.from(entries, ([name, value]) => ({ name, value }));
}

/**
 * The readable elements of a list, with names and reports of the unreadable ones. An empty list, or a list without a readable
 * element, is an error. `noun`: the name of an element in the message about an empty list.
 */
export function readElements<T>(
  url: string,
  elements: readonly RawElement[],
  schema: z.ZodType<T>,
  noun = 'version',
) {
  if (elements.length === 0) {
    throw new EmptyAnswerError(`${showUrl(url)} lists no ${noun}`);
  }

  expectFewEntries(url, elements.length);

  const readable: { name: string; value: T }[] = [];
  const alsoListed: ListedName[] = [];
  let firstProblem: string | undefined;

  for (const [index, { name, value }] of elements.entries()) {
    const parsed = schema.safeParse(value);
    if (parsed.success && isName(name)) {
      readable.push({ name, value: parsed.data });
      continue;
    }

    firstProblem ??= `entry ${index + 1}${describeUnreadable({ name, value }, schema)}`;

    // A version with an unreadable entry is still listed, so it is not withdrawn.
    if (isName(name)) {
      alsoListed.push({ name });
    }
  }

  if (firstProblem === undefined) {
    return { readable, alsoListed, skipped: [] };
  }

  const problem = `${showUrl(url)}: ${firstProblem}.`;
  const count = elements.length - readable.length;
  if (readable.length === 0) {
    throw new SourceError(`${problem} None of its ${count} entries can be read`);
  }

  const message = `${problem} Skipped ${count} of ${elements.length} entries.`;
  return { readable, alsoListed, skipped: [{ message }] };
}

function isName(name: unknown): name is string {
  return typeof name === 'string' && name !== '';
}

function describeUnreadable({ name, value }: RawElement, schema: z.ZodType): string {
  const [problem] = describeProblems(value, schema);
  if (problem === undefined) {
    return `: expected a version; got ${name === undefined ? 'none' : showValue(name)}`;
  }

  return isName(name) ? ` (${showValue(name)}): ${problem}` : `: ${problem}`;
}

/** The readable elements of a list as releases. */
export function readReleases<T>(
  url: string,
  elements: readonly RawElement[],
  schema: z.ZodType<T>,
  describe: (value: T, name: string) => Omit<ListedRelease, 'name'>,
) {
  const { readable, ...unreadable } = readElements(url, elements, schema);
  const releases = readable.map(({ name, value }) => ({ ...describe(value, name), name }));
  return { ...unreadable, releases };
}

/** More versions than any product has. Each needs memory, and space in `data/` and in the site. */
const maxEntries = 100_000;

/** Throws if a list is implausibly long. */
export function expectFewEntries(url: string, count: number): void {
  if (count > maxEntries) {
    const most = formatNumber(maxEntries);
    throw SourceError.at(
      url,
      `lists ${formatNumber(count)} entries, more than the ${most} that we take`,
    );
  }
}

/** The lines of a list of versions that are not empty. Throws if there are implausibly many. */
export function listTextLines(url: string, text: string): string[] {
  expectFewParts(url, text, /\n/g, maxEntries);
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** Throws if a text has so many parts that they would need too much memory. `part`: a global expression that finds each. */
export function expectFewParts(url: string, text: string, part: RegExp, most: number): void {
  let count = 0;
  while (part.test(text)) {
    count += 1;
    if (count > most) {
      throw SourceError.at(url, `has more than the ${formatCount(most, 'part')} that we read`);
    }
  }
}

/** Digests by artifact, without incomplete pairs; undefined if none remains. */
export function collectDigests(
  artifactDigests: readonly (readonly [
    artifact: string | null | undefined,
    digest: string | null | undefined,
  ])[],
): StatedFacts['digests'] {
  const digests = artifactDigests.filter(([artifact, digest]) => artifact && digest);
  return digests.length === 0 ? undefined : (Object.fromEntries(digests) as Record<string, string>);
}

/**
 * Whether a version is a prerelease, where SemVer overrules its form: each version with a hyphen is one (section 9). Undefined where
 * both agree, for a suffix that names the target of the release, and for a text that is not SemVer.
 */
export function readSemverPrerelease(version: string): boolean | undefined {
  const parsed = parse(version);
  if (!parsed || isReleaseForm(version)) {
    return undefined;
  }

  const isPrerelease = parsed.prerelease.length > 0;
  return isPrerelease === isPrereleaseForm(version) ? undefined : isPrerelease;
}

export function hasPrerelease(releases: readonly ListedRelease[]): boolean {
  return releases.some(({ name, isPrerelease }) => isPrerelease ?? isPrereleaseForm(name));
}
