/** Reads documents of upstreams: JSON, YAML and XML by their schemas. */
import { XMLParser } from 'fast-xml-parser';
import { FAILSAFE_SCHEMA, load } from 'js-yaml';
import * as z from 'zod';
import { describeProblems } from '../core/parse-document.ts';
import { isObject } from '../core/objects.ts';
import { toLine } from '../core/text.ts';
import type { HttpResponse } from './http/client.ts';
import { SourceError } from './http/failures.ts';

/** An optional value of a registry. Of another type, it is ignored: without it, an entry is as good. */
export const anyText = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' && value.trim()) || undefined);
/** A time as a text; `checkRelease` says where it is none. */
export const anyTime = z
  .unknown()
  .optional()
  .transform((value) => (value ? String(value) : undefined));
/** With each of its keys: a record of zod leaves out `__proto__`. */
export const anyObject = z.custom<Record<string, unknown>>(isObject, {
  error: 'expected an object',
});

export const anyFlag = z.boolean().optional().catch(undefined);

/** The texts of an object that describe a package: by each name, that at its key. */
export function pickTexts(
  document: unknown,
  keys: Readonly<Record<string, string>> = {},
): Record<string, string | undefined> {
  const texts = z.record(z.string(), anyText).catch({}).parse(document);
  const allKeys = Object.entries({ title: 'name', description: 'description', ...keys });
  return Object.fromEntries(allKeys.map(([name, key]) => [name, texts[key]]));
}

export function readJson<T>(response: HttpResponse, schema: z.ZodType<T>): T {
  return readBySchema(response.url, parseJson(response), schema);
}

export function parseJson(response: Pick<HttpResponse, 'url' | 'text'>): unknown {
  return parseAs('JSON', response, (text): unknown => JSON.parse(text));
}

export function readBySchema<T>(url: string, document: unknown, schema: z.ZodType<T>): T {
  const { data, success } = schema.safeParse(document);
  if (!success) {
    const [problem = ''] = describeProblems(document, schema);
    throw SourceError.at(url, problem);
  }
  return data;
}

/** All values are text: with YAML's own types, the version 1.10 would be the number 1.1. A few aliases can expand without end. */
export function parseYaml(response: HttpResponse): unknown {
  return parseAs('YAML', response, (text) =>
    load(text, { schema: FAILSAFE_SCHEMA, maxAliases: 0, maxDepth: 50 }),
  );
}

/** All values are text. Entities of a DOCTYPE can expand without end. `listPath`: that of an element that is a list, even of one. */
export function parseXml(response: HttpResponse, listPath?: string): unknown {
  return parseAs('XML', response, (text) => {
    if (/<!DOCTYPE/i.test(text)) {
      throw new Error('it contains <!DOCTYPE');
    }
    const parser = new XMLParser({
      ignoreDeclaration: true,
      parseTagValue: false,
      isArray: (_name, path) => String(path) === listPath,
    });
    // With validation.
    return parser.parse(text, true);
  });
}

export function parseAs<T>(
  format: string,
  response: Pick<HttpResponse, 'url' | 'text'>,
  parse: (text: string) => T,
): T {
  const text = response.text();
  try {
    return parse(text);
  } catch (error) {
    const problem = toLine((error as Error).message, 200);
    throw SourceError.at(response.url, `cannot be read as ${format}: ${problem}`);
  }
}
