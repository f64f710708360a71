import { z } from 'zod';
import { definitionSchema } from '../core/schemas/definition.ts';
import type { SiteConfig } from '../core/schemas/site-config.ts';
import { readDocument, type ReadResult } from '../io/files/documents.ts';
import { readSiteConfig } from '../io/files/read.ts';
import { definitionPath, type Root } from '../io/files/root.ts';
import { Source } from './sources/index.ts';

/** A definition with the coordinates of every datasource. */
export const Definition = definitionSchema(Source);
export type Definition = z.infer<typeof Definition>;

/** `components/<component>.json`, which need not state what it inherits from `defaults` of `site/site.json`. */
export const WrittenDefinition = Definition.partial({ homepage: true, changelogUrl: true });

export interface ReadDefinition extends ReadResult<Definition> {
  /** The keys that come from `defaults` of `site/site.json`. */
  inherited: readonly string[];
}

/** The definition with everything that it inherits. */
export function readDefinition(root: Root, component: string): ReadDefinition {
  const defaults: Readonly<Record<string, unknown>> = defaultsFor(component, readSiteConfig(root).value);
  const inherited: string[] = [];
  const Whole = z.preprocess((written) => {
    if (typeof written !== 'object' || written === null) return written;
    inherited.splice(0, Infinity, ...Object.keys(defaults).filter((key) => !(key in written)));
    return { ...defaults, ...written };
  }, Definition);
  const read = readDocument(definitionPath(root, component), `components/${component}.json`, Whole);
  return { ...read, inherited };
}

/** What a definition of this component inherits where it does not state it. */
export function defaultsFor(component: string, config: SiteConfig | undefined): Partial<Definition> {
  const filled = Object.entries(config?.defaults ?? {}).map(([key, value]) => [
    key,
    typeof value === 'string' ? value.replaceAll('{component}', component) : value,
  ]);
  return Object.fromEntries(filled) as Partial<Definition>;
}
