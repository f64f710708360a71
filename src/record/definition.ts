import type { z } from 'zod';
import { definitionSchema } from '../core/schemas/definition.ts';
import { readDocument, type ReadResult } from '../io/files/documents.ts';
import { definitionPath, type Root } from '../io/files/root.ts';
import { Source } from './sources/index.ts';

/** `components/<component>.json`, with the coordinates of every datasource. */
export const Definition = definitionSchema(Source);
export type Definition = z.infer<typeof Definition>;

export function readDefinition(root: Root, component: string): ReadResult<Definition> {
  return readDocument(definitionPath(root, component), `components/${component}.json`, Definition);
}
