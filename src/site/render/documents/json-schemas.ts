import * as z from 'zod';
import { AccessConfig } from '../../../core/schemas/access/access-config.ts';
import { SiteConfig } from '../../../core/schemas/definition/site-config.ts';
import { namedSchemas } from '../../../core/schemas/published/document-schemas.ts';
import { NamedPolicy, ScanExceptions } from '../../../core/schemas/definition/scan-rules.ts';
import { ReleaseStatement } from '../../../core/schemas/published/statement.ts';
import { RecordedData } from '../../../core/schemas/recorded/recorded.ts';
import { WrittenDefinition } from '../../../record/read-definition.ts';
import { jsonSchemaDialect, markPlaceholders, publishedPaths } from '../paths.ts';

/** Files that people write, and recorded data. Editors find their schemas in the program, below `site/schema/`. */
const files = {
  definition: {
    schema: WrittenDefinition,
    title: 'Definition of a component: components/<component>.json',
  },
  site: { schema: SiteConfig, title: 'Configuration of the site: site/site.json' },
  access: { schema: AccessConfig, title: 'Readers of the index: site/access.json' },
  policy: { schema: NamedPolicy, title: 'A policy of scans: site/policies/<policy>.json' },
  data: { schema: RecordedData, title: 'Recorded data of a component: data/<component>.json' },
  exceptions: {
    schema: ScanExceptions,
    title: 'Exceptions of scans: .release-index-exceptions.json',
  },
};

export const fileNames = Object.keys(files) as (keyof typeof files)[];

/** Every published schema, by its name. */
const documents = {
  ...files,
  ...namedSchemas,
  'release-statement': {
    schema: ReleaseStatement,
    title: 'The signed statement in a line of statements/<component>.ndjson',
  },
};

type DocumentName = keyof typeof documents;

/**
 * Self-contained JSON Schema (draft 2020-12) of a document, made from the schema that the program uses. Only the program
 * checks rules that JSON Schema cannot express, such as a day that exists or a regular expression that compiles.
 */
export function createJsonSchema(name: DocumentName) {
  return { title: createTitle(name), ...z.toJSONSchema(documents[name].schema, { io: 'input' }) };
}

/** The purpose of a document, and its paths: `Releases of a component: <component>.json`. */
function createTitle(name: DocumentName): string {
  const paths = publishedPaths
    .filter(({ schema }) => schema === name)
    .map(({ path }) => markPlaceholders(path));

  const { title } = documents[name];
  return paths.length === 0 ? title : `${title}: ${paths.join(', ')}`;
}

/** The schemas of published documents, for `components` of an OpenAPI document. */
export function createOpenApiSchemas(): object {
  const registry = z.registry<{ id: string; title: string }>();
  for (const name of Object.keys(namedSchemas) as (keyof typeof namedSchemas)[]) {
    registry.add(namedSchemas[name].schema, { id: name, title: createTitle(name) });
  }
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
  });

  for (const schema of Object.values(schemas)) {
    delete schema.$id;
    delete schema.$schema;
  }
  return schemas;
}

/** `schema/documents.json`: the files of an index, and every document of a site, below `$defs`. One file, since they go together. */
export function renderDocumentSchemas(): string {
  const names = new Set([...fileNames, ...publishedPaths.flatMap(({ schema }) => schema ?? [])]);
  const $defs = Object.fromEntries(
    Array.from(names, (name) => {
      const { $schema: _, ...schema } = createJsonSchema(name);
      return [name, schema];
    }),
  );

  return `${JSON.stringify({ $schema: jsonSchemaDialect, title: 'The documents of a release index', $defs })}\n`;
}

/** A schema as a file of its own. */
export function renderSchema(name: DocumentName): string {
  return `${JSON.stringify(createJsonSchema(name), undefined, 2)}\n`;
}
