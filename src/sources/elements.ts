import type { z } from 'zod';
import type { HttpResponse } from '../http/client.ts';
import { showUrl } from '../http/error.ts';
import { describeProblems, show } from '../model/problems.ts';
import { EmptyAnswerError, SourceError, type SourceContext } from './source.ts';

/** One element of a foreign list: the version or tag it is about, and the rest of it. */
export interface Element<T> {
  name: string;
  value: T;
}

/** The document as its schema reads it. Throws where it has another shape: that is not what was asked for. */
export function readJson<T>(response: HttpResponse, schema: z.ZodType<T>): T {
  return readDocument(response.url, response.json(), schema);
}

export function readDocument<T>(url: string, document: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  throw new SourceError(`${showUrl(url)}: ${describeProblems(parsed.error, document, schema)[0]}`);
}

/**
 * The readable elements of a list. A bad element costs the element and is reported; a list of nothing, or of nothing
 * readable, is an error.
 */
export function readElements<T>(
  url: string,
  elements: readonly { name: unknown; value: unknown }[],
  schema: z.ZodType<T>,
  context: SourceContext,
): Element<T>[] {
  if (elements.length === 0) throw new EmptyAnswerError(`${showUrl(url)} lists no version`);
  const good: Element<T>[] = [];
  let firstProblem: string | undefined;
  for (const [index, { name, value }] of elements.entries()) {
    const parsed = schema.safeParse(value);
    if (parsed.success && isName(name)) {
      good.push({ name, value: parsed.data });
      continue;
    }
    const problem = parsed.success
      ? `expected a version; got ${show(name)}`
      : describeProblems(parsed.error, value, schema)[0];
    firstProblem ??= `entry ${index + 1}${isName(name) ? ` (${show(name)})` : ''}: ${problem}`;
    // It is listed all the same: a version that cannot be read is not one that was withdrawn.
    if (isName(name)) context.offer(name);
  }
  const bad = elements.length - good.length;
  if (good.length === 0)
    throw new SourceError(
      `${showUrl(url)}: ${firstProblem}. None of its ${elements.length} entries can be read`,
    );
  if (bad > 0)
    context.skip(`${showUrl(url)}: ${firstProblem}. Skipped ${bad} of ${elements.length} entries.`);
  return good;
}

/** Throws where a document speaks of another package than the one asked for. */
export function expectPackage(url: string, expected: string, got: string | undefined): void {
  if (got === undefined || got === expected) return;
  throw new SourceError(`${showUrl(url)}: expected the document of "${expected}"; got that of ${show(got)}`);
}

function isName(name: unknown): name is string {
  return typeof name === 'string' && name !== '';
}
