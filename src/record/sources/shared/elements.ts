import { z } from 'zod';
import type { HttpResponse } from '../../../io/http/client.ts';
import { showUrl } from '../../../io/http/error.ts';
import { StatedLine } from '../../../core/schemas/recorded/recorded.ts';
import { describeProblems, show } from '../../../core/schemas/problems.ts';
import { counted, defined } from '../../../core/text/text.ts';
import { parseTimestamp } from '../../../core/model/timestamps.ts';
import { lookUpItems } from './look-up.ts';
import {
  EmptyAnswerError,
  type SourceContext,
  SourceError,
  type StatedRelease,
} from '../datasource.ts';

/** An element of an upstream's list, with its version or tag. */
export interface Element<T> {
  name: string;
  value: T;
}

/** An unchecked element. */
export type RawElement = { [K in keyof Element<unknown>]: unknown };

/** The elements of a list, named by the value under `key`; without `key`, each element is a name. */
export function listElements(list: readonly unknown[], key?: string): RawElement[] {
  if (key === undefined) {
    return list.map((value) => ({ name: value, value }));
  }

  return list.map((value) => ({ name: (value as Record<string, unknown> | null)?.[key], value }));
}

/** The elements of an object or map, by key. */
export function elementsByName(
  named: Iterable<readonly [name: string, value: unknown]>,
): RawElement[] {
  return Array.from(named, ([name, value]) => ({ name, value }));
}

/** A package with ten thousand versions has about four million parts. Parsed, each may need 50 bytes or more. */
const mostJsonParts = 8_000_000;

/** Reads a document by its schema. Throws if it has another shape. */
export function readJson<T>(response: HttpResponse, schema: z.ZodType<T>): T {
  expectFewParts(response.url, response.text(), /[,[{]/g, mostJsonParts);
  return readSourceDocument(response.url, response.json(), schema);
}

export function readSourceDocument<T>(url: string, document: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(document);
  if (parsed.success) {
    return parsed.data;
  }

  throw new SourceError(`${showUrl(url)}: ${describeProblems(document, schema)[0]}`);
}

/**
 * The readable elements of a list. Reports and omits unreadable elements. An empty list, or a list without a readable element, is
 * an error.
 */
export function readElements<T>(
  url: string,
  elements: readonly RawElement[],
  schema: z.ZodType<T>,
  context: SourceContext,
): Element<T>[] {
  if (elements.length === 0) {
    throw new EmptyAnswerError(`${showUrl(url)} lists no version`);
  }

  expectFew(url, elements.length);

  const good: Element<T>[] = [];
  let firstProblem: string | undefined;

  for (const [index, { name, value }] of elements.entries()) {
    const parsed = schema.safeParse(value);
    if (parsed.success && isName(name)) {
      good.push({ name, value: parsed.data });
      continue;
    }

    const problem = parsed.success
      ? `expected a version; got ${name === undefined ? 'none' : show(name)}`
      : describeProblems(value, schema)[0];

    firstProblem ??= `entry ${index + 1}${isName(name) ? ` (${show(name)})` : ''}: ${problem}`;

    // A version with an unreadable entry is still listed, so it is not withdrawn.
    if (isName(name)) {
      context.offer(name);
    }
  }

  const bad = elements.length - good.length;
  const problem = `${showUrl(url)}: ${firstProblem}.`;

  if (good.length === 0) {
    throw new SourceError(`${problem} None of its ${bad} entries can be read`);
  }

  if (bad > 0) {
    context.skip(`${problem} Skipped ${bad} of ${elements.length} entries.`);
  }

  return good;
}

/** A release without its version. Undefined: not stated. */
type Described = { [K in Exclude<keyof StatedRelease, 'version'>]: StatedRelease[K] | undefined };

/**
 * The readable elements of a list as releases that the definition admits. If several names have the same version, the first is
 * used. `describe` returns undefined for an element that is not a release. `askTimestamp` requests a missing day: an absent
 * document means no day, and after any other failure the next run asks again.
 */
export async function readReleases<T>(
  url: string,
  elements: readonly RawElement[],
  schema: z.ZodType<T>,
  context: SourceContext,
  describe: (value: T, name: string) => Partial<Described> | undefined,
  askTimestamp: (name: string, value: T) => Promise<string | undefined> = () =>
    Promise.resolve(undefined),
): Promise<StatedRelease[]> {
  const byVersion = new Map<
    string,
    Element<T> & { version: string; described: Partial<Described> }
  >();

  for (const element of readElements(url, elements, schema, context)) {
    const described = describe(element.value, element.name);
    if (!described) {
      continue;
    }

    const version = context.offer(element.name, described.isPrerelease);
    if (version !== undefined && !byVersion.has(version)) {
      byVersion.set(version, { ...element, version, described });
    }
  }

  const undated = [...byVersion.values()].filter(
    ({ version, described }) => !described.releaseTimestamp && context.wantsTimestamp(version),
  );

  const days = await lookUpItems(
    undated,
    ({ name, value }) => askTimestamp(name, value),
    ({ version }, error) => context.postpone(version, error),
  );

  return Array.from(byVersion.values(), (release) => {
    const { version, described } = release;

    return defined({
      version,
      ...described,
      releaseTimestamp: described.releaseTimestamp ?? days.get(release),
    });
  });
}

/** The readable elements of a list as release lines. A line is unreadable if its phases are out of order. */
export function readSourceLines(
  url: string,
  elements: readonly RawElement[],
  schema: z.ZodType<StatedLine>,
  context: SourceContext,
): StatedRelease[] {
  const read = readElements(url, elements, schema.pipe(Line), context);

  return read
    .map(({ name, value }) => {
      const version = context.offer(name);
      if (version === undefined) {
        return undefined;
      }

      context.stateLine(value);

      return { version };
    })
    .filter((value) => value !== undefined);
}

const Line = StatedLine.superRefine(({ phases }, context) => {
  for (const [index, { name, until = '9999', paid }] of phases.entries()) {
    const before = phases[index - 1];
    const reject = (message: string, got: string) =>
      context.addIssue({ code: 'custom', path: ['phases', index], message, params: { got } });

    if (before?.until !== undefined && until < before.until) {
      reject(`expected ${name} to end no earlier than ${before.name}, on ${before.until}`, until);
    }

    if (paid ? phases.every((other) => other.paid) : before?.paid) {
      reject(
        'expected the phases that are not paid first',
        `${name} behind ${before?.name ?? 'none'}`,
      );
    }
  }
});

/**
 * The elements by admitted version. A version may have several elements, for instance per platform.
 */
export function groupByVersion<T>(
  elements: readonly Element<T>[],
  context: SourceContext,
  isPrerelease: (value: T) => boolean | undefined = () => undefined,
): Map<string, T[]> {
  const groups = new Map<string, T[]>();

  for (const { name, value } of elements) {
    const version = context.offer(name, isPrerelease(value));
    if (version === undefined) {
      continue;
    }

    const group = groups.get(version);

    if (group) {
      group.push(value);
    } else {
      groups.set(version, [value]);
    }
  }

  return groups;
}

/** More than any product has. Each version needs memory, and space in `data/` and in the site. */
const mostVersions = 100_000;

/** Throws if a list is implausibly long. */
export function expectFew(url: string, count: number): void {
  if (count <= mostVersions) {
    return;
  }

  const most = counted(mostVersions, 'version');
  throw new SourceError(
    `${showUrl(url)}: lists ${counted(count, 'version')}, more than the ${most} that we take`,
  );
}

/** Throws if a parsed document would need too much memory. `part` matches the beginning of each part. */
export function expectFewParts(url: string, text: string, part: RegExp, most: number): void {
  if (text.length <= most) {
    return;
  }

  let count = 0;

  part.lastIndex = 0;

  while (part.test(text)) {
    count += 1;

    if (count > most) {
      throw new SourceError(
        `${showUrl(url)}: has more than the ${counted(most, 'part')} that we read`,
      );
    }
  }
}

/** Throws if a document is about another package than requested. */
export function expectPackage(url: string, expected: string, got: string | undefined): void {
  if (got === undefined || got === expected) {
    return;
  }

  throw new SourceError(
    `${showUrl(url)}: expected the document of "${expected}"; got that of ${show(got)}`,
  );
}

/** Digests by artifact, without incomplete pairs; undefined if none remains. */
export function statedDigests(
  artifactDigests: readonly (readonly [
    artifact: string | null | undefined,
    digest: string | null | undefined,
  ])[],
): Record<string, string> | undefined {
  const digests = artifactDigests.filter(([artifact, digest]) => artifact && digest);
  return digests.length === 0 ? undefined : (Object.fromEntries(digests) as Record<string, string>);
}

/** The earliest stated time. Without a readable time, the first one, to be quoted in the rejection. */
export function earliest(times: readonly (string | null | undefined)[]): string | undefined {
  const texts = times.filter((time) => typeof time === 'string');
  const readable = texts.map((time) => parseTimestamp(time)).filter((time) => time !== undefined);

  return readable.sort()[0] ?? texts[0];
}

function isName(name: unknown): name is string {
  return typeof name === 'string' && name !== '';
}

/** An optional text in a registry's document. Anything else is ignored. */
export const Stated = z
  .string()
  .transform((text) => text.trim() || undefined)
  .optional()
  .catch(undefined);
