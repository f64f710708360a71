import type { z } from 'zod';
import { describeProblems } from '../../../src/core/schemas/problems.ts';
import { namedSchemas } from '../../../src/core/schemas/published/document-schemas.ts';
import { publishedPaths } from '../../../src/site/render/paths.ts';
import { decode } from '../../../src/io/files/read-documents.ts';
import type { Report } from './opened-site.ts';

/** The JSON documents of a site by their paths; one that breaks its schema is not among them. */
export type Documents = ReadonlyMap<string, unknown>;

/** Paths of JSON documents as patterns, with their schemas. A plain path goes before `{component}.json`. */
const schemas: readonly { pattern: RegExp; schema: z.ZodType }[] = publishedPaths
  .filter((path) => path.schema !== undefined && path.schema in namedSchemas)
  .map(({ path, schema }) => ({
    isPlain: !path.includes('{'),
    pattern: patternOf(path),
    schema: namedSchemas[schema as keyof typeof namedSchemas].schema,
  }))
  .toSorted((a, b) => Number(b.isPlain) - Number(a.isPlain));

/** They have an entry for every component. */
const documentsInParts = ['all', 'search'] as const;

/** OpenAPI, JSON Schema and endoflife.date have schemas of their own. */
const foreign = publishedPaths
  .filter(({ standard }) => standard !== undefined)
  .map(({ path }) => patternOf(path));

/**
 * A JSON document: UTF-8 without a byte order mark, of its schema, without `null` and empty strings anywhere. Returns it,
 * or undefined where other checks could not use it.
 */
export function readJsonDocument(path: string, bytes: Buffer, report: Report): unknown {
  let document: unknown;
  try {
    document = JSON.parse(decode(bytes) ?? 'not UTF-8');
  } catch (error) {
    report(path, `not JSON: ${(error as Error).message}`);
    return undefined;
  }
  for (const [at, what] of emptyValues(document)) {
    report(path, `${at || 'the document'} is ${what}; leave the key out instead`);
  }
  if (foreign.some((pattern) => pattern.test(path))) {
    return document;
  }
  const inParts = documentsInParts.find((name) => isPartOf(name, path));
  const schema = inParts
    ? namedSchemas[inParts].schema
    : schemas.find(({ pattern }) => pattern.test(path))?.schema;
  if (!schema) {
    report(path, 'is no published path');
    return undefined;
  }
  const parsed = schema.safeParse(document);
  if (parsed.success) {
    return document;
  }
  for (const message of describeProblems(document, schema)) {
    report(path, message);
  }
  return undefined;
}

function patternOf(path: string): RegExp {
  const pattern = path
    .replaceAll('.', String.raw`\.`)
    .replace('{component}', '[a-z0-9][a-z0-9-]*')
    .replace('{name}', String.raw`[a-z0-9][a-z0-9.-]*`)
    .replace('{part}', String.raw`\d+`)
    .replace('{year}', String.raw`\d{4}`);
  return new RegExp(`^${pattern}$`);
}

/** `all.json` and what lies in `all/`, and so for each document in parts. */
function isPartOf(document: string, path: string): boolean {
  return path === `${document}.json` || path.startsWith(`${document}/`);
}

/** Where a value is `null` or an empty string, and which of them. */
function* emptyValues(value: unknown, at = ''): Generator<[at: string, what: string]> {
  if (value === null) {
    yield [at, 'null'];
  } else if (value === '') {
    yield [at, 'an empty string'];
  } else if (typeof value === 'object') {
    const isList = Array.isArray(value);
    for (const [key, inner] of Object.entries(value)) {
      if (inner === '' || typeof inner === 'object') {
        const place = at === '' ? key : `${at}.${key}`;
        yield* emptyValues(inner, isList ? `${at}[${key}]` : place);
      }
    }
  }
}
