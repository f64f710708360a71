import * as z from 'zod';

/** A key of a document that people write by hand: what an editor shows of it, and values to start from. */
export function documented<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  ...examples: z.input<Schema>[]
): Schema {
  return schema.meta({ description, ...(examples.length > 0 && { examples }) });
}

/** The key `$schema` of such a document. */
export function schemaAddress(example: string) {
  return documented(z.string().optional(), 'The address of this description, for editors.', example);
}
