/** Reads documents of upstreams: JSON, YAML and XML by their schemas. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { FAILSAFE_SCHEMA, load } from 'js-yaml';
import * as z from 'zod';
import { describeProblems } from '../core/errors.ts';
import { isObject } from '../core/objects.ts';
import { toLine } from '../core/text.ts';
import type { HttpResponse } from './http/client.ts';
import { SourceError } from './http/failures.ts';

/** An optional value of a registry. Of another type, it is ignored: without it, an entry is as good. */
export const anyText = z
  .string()
  .trim()
  .nullish()
  .catch(undefined)
  .transform((value) => value || undefined);
/** A day, of which the reader of releases says if it is none. */
export const anyTime = z
  .unknown()
  .optional()
  .transform((value) => (value ? String(value) : undefined));
/** With each of its keys: a record of zod leaves out `__proto__`. */
export const anyObject = z.custom<Record<string, unknown>>(isObject, {
  error: 'expected an object',
});

export const anyFlag = z.boolean().optional().catch(undefined);

/** The texts of an object: by each name, that at its key. */
export function pickTexts(
  document: unknown,
  keys: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  const texts = z.record(z.string(), anyText).catch({}).parse(document);
  return Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, texts[key]]));
}

export function readJson<T>(response: HttpResponse, schema: z.ZodType<T>): T {
  return readBySchema(response.url, response.json(), schema);
}

export function readBySchema<T>(url: string, document: unknown, schema: z.ZodType<T>): T {
  const { data, success } = schema.safeParse(document);
  if (!success) {
    throw SourceError.at(url, describeProblems(document, schema)[0]!);
  }
  return data;
}

/** All values are text: with YAML's own types, the version 1.10 would be the number 1.1. A few aliases can expand without end. */
export function parseYaml(response: HttpResponse): unknown {
  const yaml = response.text();
  try {
    return load(yaml, { schema: FAILSAFE_SCHEMA, maxAliases: 0, maxDepth: 50 });
  } catch (error) {
    throw createFormatError(response, 'YAML', (error as Error).message);
  }
}

/** All values are text. Entities of a DOCTYPE can expand without end. `list`: the path of an element that is a list, even of one. */
export function parseXml(response: HttpResponse, list: string): unknown {
  const xml = response.text();
  if (/<!DOCTYPE/i.test(xml)) {
    throw SourceError.at(response.url, 'contains <!DOCTYPE. Not read');
  }
  const validity = XMLValidator.validate(xml);
  if (validity !== true) {
    throw createFormatError(response, 'XML', `${validity.err.msg} (line ${validity.err.line})`);
  }

  try {
    return new XMLParser({
      ignoreDeclaration: true,
      parseTagValue: false,
      isArray: (_name, path) => String(path) === list,
    }).parse(xml);
  } catch (error) {
    throw createFormatError(response, 'XML', (error as Error).message);
  }
}

function createFormatError({ url }: HttpResponse, format: string, problem: string): SourceError {
  return SourceError.at(url, `cannot be read as ${format}: ${toLine(problem, 200)}`);
}
