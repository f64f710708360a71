import { z } from 'zod';
import type { SiteFile } from '../model/component.ts';
import { Definition } from '../model/definition.ts';
import { Freshness } from '../model/freshness.ts';
import { publishedDocuments } from '../model/published/documents.ts';
import { RecordedData } from '../model/recorded.ts';
import { SiteConfig } from '../model/site-config.ts';

/** The documents that people and `gather` write, by the names of their schemas. */
const writtenDocuments = {
  definition: { schema: Definition, title: 'Definition of a component: components/<component>.json' },
  data: { schema: RecordedData, title: 'Recorded data of a component: data/<component>.json' },
  freshness: { schema: Freshness, title: 'Freshness of a component: data/freshness/<component>.json' },
  site: { schema: SiteConfig, title: 'Configuration of the site: site/site.json' },
};

const documents = { ...publishedDocuments, ...writtenDocuments };

export type SchemaName = keyof typeof documents;

export const schemaNames = Object.keys(documents) as SchemaName[];

/**
 * JSON Schema (draft 2020-12) of a document, made from the schema that the program itself uses. What a JSON Schema cannot
 * say (a day that exists, a regular expression that compiles) only the program checks.
 */
export function jsonSchemaOf(name: SchemaName): z.core.JSONSchema.JSONSchema {
  const { schema, title } = documents[name];
  return { title, ...z.toJSONSchema(schema, { io: 'input' }) };
}

/** `schema/*.json`. */
export function renderSchemas(): SiteFile[] {
  return schemaNames.map((name) => ({
    path: `schema/${name}.json`,
    body: `${JSON.stringify(jsonSchemaOf(name), undefined, 2)}\n`,
  }));
}
