import { z } from 'zod';
import { AccessConfig } from '../../../core/schemas/access/access-config.ts';
import { WrittenDefinition } from '../../../record/read-definition.ts';
import {
  publishedDocuments,
  type PublishedDocument,
} from '../../../core/schemas/published/document-schemas.ts';
import { ReleaseStatement } from '../../../core/schemas/published/statement.ts';
import { NamedPolicy } from '../../../core/schemas/definition/named-policy.ts';
import { RecordedData } from '../../../core/schemas/recorded/recorded.ts';
import { ScanExceptions } from '../../../core/schemas/scan-exceptions.ts';
import { SiteConfig } from '../../../core/schemas/definition/site-config.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import type { SiteContext, SiteFile } from '../site-context.ts';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Published documents, answers, hand-written files and recorded data, by schema name. */
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
  policy: { schema: NamedPolicy, title: 'A policy of scans: site/policies/<policy>.json' },
  exceptions: {
    schema: ScanExceptions,
    title: 'Exceptions of scans: .release-index-exceptions.json',
  },
  access: { schema: AccessConfig, title: 'Readers of the index: site/access.json' },
  site: { schema: SiteConfig, title: 'Configuration of the site: site/site.json' },
};

export type DocumentName = keyof typeof documents;

/** The published schemas: of files that people write, and of documents that programs read by their form. */
export const schemaNames: readonly DocumentName[] = [
  'definition',
  'site',
  'access',
  'policy',
  'data',
  'exceptions',
  'component',
  'details',
  'search',
  'changes',
  'status',
  'compatibility',
  'release-statement',
];

/** Each schema is made once per process: all of them take as long as the pages of a small index. */
const made: Partial<Record<DocumentName, JsonSchema>> = {};

/**
 * Self-contained JSON Schema (draft 2020-12) of a document, made from the schema that the program uses. Only the program
 * checks rules that JSON Schema cannot express, such as a day that exists or a regular expression that compiles.
 */
export function jsonSchemaOf(name: DocumentName): JsonSchema {
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

/** The schemas that an index publishes: of readers, signed statements and compatibility only where it has them. */
export function listSchemas(
  { access, config }: Pick<SiteContext, 'access' | 'config'>,
  summaries: readonly ComponentSummary[],
): DocumentName[] {
  const isNeeded: Partial<Record<DocumentName, boolean>> = {
    access: access !== undefined,
    compatibility: summaries.some(({ definition }) => definition.worksWith !== undefined),
    'release-statement': config.signingPublicKey !== undefined,
  };

  return schemaNames.filter((name) => isNeeded[name] ?? true);
}

/** `schema/*.json`. */
export function renderSchemas(names = schemaNames): SiteFile[] {
  return names.map((name) => ({
    path: `schema/${name}.json`,
    body: `${JSON.stringify(jsonSchemaOf(name), undefined, 2)}\n`,
  }));
}
