import * as z from 'zod';

/** A key of a document that people write by hand: what an editor shows of it, and values to start from. */
export function documented<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  ...examples: z.input<Schema>[]
): Schema {
  return schema.meta({ description, ...(examples.length > 0 && { examples }) });
}

/** A key that says which of several forms an object has. */
export function formName<Name extends string>(name: Name, description: string) {
  return documented(z.literal(name), description, name);
}

/** The key `$schema` of such a document. */
export function schemaAddress(example: string) {
  return documented(z.string().optional(), 'The address of this description, for editors.', example);
}

/** Reports a problem at a path below the value. `got`: where the value itself does not show it. */
export type Reject = (path: readonly PropertyKey[], expected: string, got?: string) => void;

/** Adds rules between the parts of a value. They run even where a part is invalid, so that all problems are reported at once. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  find: (value: any, reject: Reject) => void,
): Schema {
  return schema.superRefine(
    (value, context) =>
      find(value, (path, message, got) =>
        context.addIssue({ code: 'custom', path: [...path], message, params: { got } }),
      ),
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );
}
