import * as z from 'zod';

/** A key of a hand-written document, with the description and examples that editors show. */
export function documented<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  ...examples: z.input<Schema>[]
): Schema {
  return schema.meta({ description, ...(examples.length > 0 && { examples }) });
}

/** A key that a document may leave out. */
export function optionalKey<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  ...examples: z.input<z.ZodOptional<Schema>>[]
) {
  return documented(schema.optional(), description, ...examples);
}

/** The discriminator of an object with several forms. */
export function formName<Name extends string>(name: Name, description: string) {
  return documented(z.literal(name), description, name);
}

/** The key `$schema` of a hand-written document. */
export function createSchemaKey(example: string) {
  return optionalKey(z.string(), 'The address of this description, for editors.', example);
}

/** Reports a problem at a path below the value. `got`: the actual value, where the value at the path does not show it. */
export type Reject = (path: readonly PropertyKey[], expected: string, got?: string) => void;

/** An object whose fields may have any form. */
export type Fields = Readonly<Record<string, unknown>>;

/** Adds rules between the parts of a value. They run even if a part is invalid, so a rule gets values of any form. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  check: (value: any, reject: Reject) => void,
): Schema {
  return schema.superRefine(
    (value, context) =>
      check(value, (path, message, got) =>
        context.addIssue({ code: 'custom', path: [...path], message, params: { got } }),
      ),
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );
}

/** Rejects each value of a list that is equal to an earlier one, as JSON. An undefined value is equal to none. */
export function rejectRepeated(
  values: readonly unknown[],
  noun: string,
  createPath: (index: number) => readonly PropertyKey[],
  reject: Reject,
): void {
  const texts = new Set<string>();
  for (const [index, value] of values.entries()) {
    const text = JSON.stringify(value);
    if (value !== undefined && texts.has(text)) {
      reject(createPath(index), `expected each ${noun} once`);
    }

    texts.add(text);
  }
}

/** A text in which `findProblem` finds no problem. `form` limits the length with `abort`, so no longer text is searched. */
export function createTextSchema(
  form: z.ZodString,
  findProblem: (text: string) => string | undefined,
) {
  return form.superRefine((text, context) => {
    const message = findProblem(text);
    if (message !== undefined) {
      context.addIssue({ code: 'custom', message });
    }
  });
}
