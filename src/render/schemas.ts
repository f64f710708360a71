import { z } from 'zod';
import type { SiteFile } from '../model/component.ts';
import { Definition } from '../model/definition.ts';
import { Freshness } from '../model/freshness.ts';
import { RecordedData } from '../model/recorded.ts';
import { SiteConfig } from '../model/site-config.ts';

/** The documents that people and `gather` write, by the names of their schemas. */
const written = {
  definition: { schema: Definition, title: 'Definition of a component: components/<component>.json' },
  data: { schema: RecordedData, title: 'Recorded data of a component: data/<component>.json' },
  freshness: { schema: Freshness, title: 'Freshness of a component: data/freshness/<component>.json' },
  site: { schema: SiteConfig, title: 'Configuration of the site: site/site.json' },
};

/** `schema/*.json`: JSON Schemas (draft 2020-12) of every document, made from the schemas that the program itself uses. */
export function renderSchemas(): SiteFile[] {
  return Object.entries(written).map(([name, { schema, title }]) => ({
    path: `schema/${name}.json`,
    body: `${JSON.stringify({ title, ...z.toJSONSchema(schema, { io: 'input' }) }, undefined, 2)}\n`,
  }));
}
