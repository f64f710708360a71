import type { z } from 'zod';
import { describeProblems } from '../model/problems.ts';
import { publishedDocuments } from '../model/published/document-schemas.ts';
import { publishedPaths } from '../render/paths.ts';
import { parseJson } from '../store/documents.ts';
import type { Report } from './opened-site.ts';

/** The JSON documents of a site by their paths; one that breaks its schema is not among them. */
export type Documents = ReadonlyMap<string, unknown>;

/** Paths of JSON documents as patterns, with their schemas. A plain path goes before `{component}.json`. */
const schemas: readonly { pattern: RegExp; schema: z.ZodType }[] = publishedPaths
  .filter((path) => path.schema !== undefined && path.schema in publishedDocuments)
  .map(({ path, schema }) => ({
    isPlain: !path.includes('{'),
    pattern: new RegExp(
      `^${path.replaceAll('.', String.raw`\.`).replace('{component}', '[a-z0-9][a-z0-9-]*')}$`,
    ),
    schema: publishedDocuments[schema as keyof typeof publishedDocuments].schema,
  }))
  .toSorted((a, b) => Number(b.isPlain) - Number(a.isPlain));

/** OpenAPI and JSON Schema documents have schemas of their own. */
const foreign = /^(?:openapi\.json|schema\/.*)$/;

/**
 * A JSON document: UTF-8 without a byte order mark, of its schema, without `null` and empty strings anywhere. Returns it,
 * or undefined where other checks could not use it. `all.json` is compared with the release files instead, word for word.
 */
export function readJsonDocument(path: string, bytes: Buffer, report: Report): unknown {
  let document: unknown;
  try {
    document = parseJson(bytes);
  } catch (error) {
    report(path, `not JSON: ${(error as Error).message}`);
    return undefined;
  }
  for (const { at, what } of emptyValues(document, ''))
    report(path, `${at === '' ? 'the document' : at} is ${what}`);
  if (foreign.test(path) || isOfAll(path)) return document;
  const schema = schemas.find(({ pattern }) => pattern.test(path))?.schema;
  if (!schema) {
    report(path, 'is no published path');
    return undefined;
  }
  const parsed = schema.safeParse(document);
  if (parsed.success) return document;
  for (const message of describeProblems(parsed.error, document, schema)) report(path, message);
  return undefined;
}

/** `all.json` and its parts. */
export function isOfAll(path: string): boolean {
  return path === 'all.json' || path.startsWith('all/');
}

interface EmptyValue {
  at: string;
  what: string;
}

function emptyValues(value: unknown, at: string, found: EmptyValue[] = []): EmptyValue[] {
  if (value === null) found.push({ at, what: 'null; leave the key out instead' });
  else if (value === '') found.push({ at, what: 'an empty string; leave the key out instead' });
  else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const item: unknown = value[index];
      if (needsLook(item)) emptyValues(item, `${at}[${index}]`, found);
    }
  } else if (typeof value === 'object') {
    for (const key in value) {
      const inner = (value as Record<string, unknown>)[key];
      if (needsLook(inner)) emptyValues(inner, at === '' ? key : `${at}.${key}`, found);
    }
  }
  return found;
}

/** Most values are plain texts, and naming the place of each takes longer than looking at it. */
function needsLook(value: unknown): boolean {
  return value === '' || typeof value === 'object';
}
