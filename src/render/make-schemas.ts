import { z } from 'zod';
import { Definition } from '../model/definition.ts';
import { Freshness } from '../model/freshness.ts';
import { publishedDocuments, type PublishedDocument } from '../model/published/document-schemas.ts';
import { RecordedData } from '../model/recorded.ts';
import { SiteConfig } from '../model/site-config.ts';

/** The documents that people and `gather` write, by the names of their schemas. */
const writtenDocuments = {
  definition: { schema: Definition, title: 'Definition of a component: components/<component>.json' },
  data: { schema: RecordedData, title: 'Recorded data of a component: data/<component>.json' },
  freshness: { schema: Freshness, title: 'Freshness of a component: data/freshness/<component>.json' },
  site: { schema: SiteConfig, title: 'Configuration of the site: site/site.json' },
};

/**
 * JSON Schemas (draft 2020-12), made from the schemas that the program itself uses. What a JSON Schema cannot say (a day
 * that exists, a regular expression that compiles) only the program checks.
 *
 * `documents`: each complete by itself. `components`: those of what is published, for an OpenAPI document, where `all`
 * refers to `component`.
 */
export function makeSchemas(): { documents: object; components: object } {
  const documents = Object.entries({ ...publishedDocuments, ...writtenDocuments }).map(
    ([name, { schema, title }]) => [name, { title, ...z.toJSONSchema(schema, { io: 'input' }) }],
  );
  return { documents: Object.fromEntries(documents) as object, components: makeComponents() };
}

function makeComponents(): object {
  const registry = z.registry<{ id: string }>();
  for (const [name, { schema }] of Object.entries(publishedDocuments)) registry.add(schema, { id: name });
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $id: _id, $schema: _schema, ...schema }]) => [
      name,
      { title: publishedDocuments[name as PublishedDocument].title, ...schema },
    ]),
  );
}

/** The text of `src/render/generated/schemas.json`. */
export function renderGeneratedSchemas(): string {
  return `${JSON.stringify(makeSchemas(), undefined, 2)}\n`;
}
