import { z } from 'zod';

/** A key of a hand-written document, with the description and examples that editors show. */
export function documented<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  ...examples: z.input<Schema>[]
): Schema {
  return schema.meta({ description, ...(examples.length > 0 && { examples }) });
}

/** The discriminator of an object with several forms. */
export function formName<Name extends string>(name: Name, description: string) {
  return documented(z.literal(name), description, name);
}

/** The key `$schema` of a hand-written document. */
export function schemaAddress(example: string) {
  return documented(
    z.string().optional(),
    'The address of this description, for editors.',
    example,
  );
}

/** Reports a problem at a path below the value. `got`: the actual value, where the value at the path does not show it. */
export type Reject = (path: readonly PropertyKey[], expected: string, got?: string) => void;

/** Adds rules between the parts of a value. They run even if a part is invalid: all problems are reported at once. */
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
