import type { z } from 'zod';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** A field of a document, described for people. */
export interface DocumentedField {
  /** Dotted path from the top of the document: `releases[].version`. */
  path: string;
  type: string;
  isRequired: boolean;
  description: string;
}

/** Every field that a schema names, in the order of the document. */
export function fieldsOf(schema: JsonSchema): DocumentedField[] {
  return [...walk(schema, '')];
}

function* walk(schema: JsonSchema, prefix: string): Generator<DocumentedField> {
  const required = new Set(schema.required);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const child = property as JsonSchema;
    const path = prefix === '' ? name : `${prefix}.${name}`;
    yield { path, type: typeOf(child), isRequired: required.has(name), description: child.description ?? '' };
    yield* walkInner(child, path);
  }
}

function* walkInner(schema: JsonSchema, path: string): Generator<DocumentedField> {
  if (schema.type === 'array') yield* walkInner(schema.items as JsonSchema, `${path}[]`);
  else if (isMap(schema)) yield* walkInner(schema.additionalProperties as JsonSchema, `${path}.*`);
  else yield* walk(schema, path);
}

function isMap(schema: JsonSchema): boolean {
  return (
    typeof schema.additionalProperties === 'object' && Object.keys(schema.additionalProperties).length > 0
  );
}

/** The type in words, with the possible values where they are known. */
export function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.type === 'array') return `array of ${plural(typeOf(schema.items as JsonSchema))}`;
  if (isMap(schema)) return `object of ${plural(typeOf(schema.additionalProperties as JsonSchema))} by name`;
  return typeof schema.type === 'string' ? schema.type : 'any value';
}

function plural(type: string): string {
  return /^[a-z]+$/.test(type) ? `${type}s` : type;
}
