import type { z } from 'zod';
import type { SiteFile } from './site-context.ts';
import generated from './generated/schemas.json' with { type: 'json' };

type JsonSchema = z.core.JSONSchema.JSONSchema;

export type SchemaName = keyof typeof generated.documents;

export const schemaNames = Object.keys(generated.documents) as SchemaName[];

/** JSON Schema (draft 2020-12) of a document, as `npm run generate` made it: making it anew takes longer than a small build. */
export function jsonSchemaOf(name: SchemaName): JsonSchema {
  return generated.documents[name] as JsonSchema;
}

/** The schemas of what is published, for `components` of an OpenAPI document; `all` refers to `component`. */
export function componentSchemas(): object {
  return generated.components;
}

/** `schema/*.json`. */
export function renderSchemas(): (SiteFile & { body: string })[] {
  return schemaNames.map((name) => ({
    path: `schema/${name}.json`,
    body: `${JSON.stringify(jsonSchemaOf(name), undefined, 2)}\n`,
  }));
}
