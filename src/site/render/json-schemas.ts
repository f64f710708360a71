import { z } from 'zod';
import { AccessConfig } from '../../core/schemas/access-config.ts';
import { WrittenDefinition } from '../../record/definition.ts';
import { RecordedFreshness } from '../../core/schemas/freshness.ts';
import { Decision, HeldFile } from '../../core/schemas/held.ts';
import {
  isAnswer,
  publishedDocuments,
  type PublishedDocument,
} from '../../core/schemas/published/document-schemas.ts';
import { ReleaseStatement } from '../../core/schemas/published/statement.ts';
import { JournalEvent, Run } from '../../core/schemas/journal.ts';
import { NamedPolicy } from '../../core/schemas/named-policy.ts';
import { RecordedData } from '../../core/schemas/recorded.ts';
import { ScanExceptions } from '../../core/schemas/scan-exceptions.ts';
import { SiteConfig } from '../../core/schemas/site-config.ts';
import { isStatic, type SiteContext } from './site-context.ts';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Published documents, hand-written files and recorded files, by schema name. */
const documents = {
  ...publishedDocuments,
  'release-statement': {
    schema: ReleaseStatement,
    title: 'The signed statement in a line of statements/<component>.ndjson',
  },
  definition: {
    schema: WrittenDefinition,
    title: 'Definition of a component: components/<component>.json',
  },
  data: { schema: RecordedData, title: 'Recorded data of a component: data/<component>.json' },
  journal: { schema: JournalEvent, title: 'A line of data/journal/<component>.ndjson' },
  run: { schema: Run, title: 'A line of data/runs/<year>.ndjson' },
  freshness: {
    schema: RecordedFreshness,
    title: 'Freshness of a component: data/freshness/<component>.json',
  },
  held: { schema: HeldFile, title: 'Changes that wait for a decision: data/held.json' },
  decision: { schema: Decision, title: 'A line of data/decisions.ndjson' },
  policy: { schema: NamedPolicy, title: 'A policy of scans: site/policies/<policy>.json' },
  exceptions: {
    schema: ScanExceptions,
    title: 'Exceptions of scans: .release-index-exceptions.json',
  },
  access: { schema: AccessConfig, title: 'Readers of the index: site/access.json' },
  site: { schema: SiteConfig, title: 'Configuration of the site: site/site.json' },
};

export type SchemaName = keyof typeof documents;

export const schemaNames = Object.keys(documents) as SchemaName[];

/** The schemas of the documents of a site and of the answers of its host. */
export function schemaNamesOf(site: SiteContext): readonly SchemaName[] {
  return schemaNames.filter((name) => !isStatic(site) || !isAnswer(name));
}

/** Each schema is made once per process: all of them take as long as the pages of a small index. */
const made: Partial<Record<SchemaName, JsonSchema>> = {};

/**
 * Self-contained JSON Schema (draft 2020-12) of a document, made from the schema that the program uses. Only the program
 * checks rules that JSON Schema cannot express, such as a day that exists or a regular expression that compiles.
 */
export function jsonSchemaOf(name: SchemaName): JsonSchema {
  const { schema, title } = documents[name];
  return (made[name] ??= { title, ...z.toJSONSchema(schema, { io: 'input' }) });
}

let madeComponents: object | undefined;

/** The schemas of published documents, for `components` of an OpenAPI document. */
export function componentSchemas(): object {
  return (madeComponents ??= makeComponentSchemas());
}

function makeComponentSchemas(): object {
  const registry = z.registry<{ id: string }>();
  for (const [name, { schema }] of Object.entries(publishedDocuments)) {
    registry.add(schema, { id: name });
  }
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $id: _id, $schema: _schema, ...schema }]) => [
      name,
      { title: publishedDocuments[name as PublishedDocument].title, ...schema },
    ]),
  );
}

/** `schema/*.json`. */
export function renderSchemas(
  names: readonly SchemaName[] = schemaNames,
): { path: string; body: string }[] {
  return names.map((name) => ({
    path: `schema/${name}.json`,
    body: renderSchema(name),
  }));
}

export function renderSchema(name: SchemaName): string {
  return `${JSON.stringify(jsonSchemaOf(name), undefined, 2)}\n`;
}
