import * as z from 'zod';

/**
 * By the type of a schema: the key of its parts, which become lenient, too. Its other checks stay, such as the length of an array,
 * and so does a schema of a type that is not listed.
 */
const partKeys: Readonly<Record<string, string>> = {
  array: 'element',
  record: 'valueType',
  optional: 'innerType',
  union: 'options',
};

/**
 * A schema for documents that a newer program may have made: accepts unknown keys, unknown words of an enum, and keys that
 * contradict each other. Still rejects values of another type, and another value than a literal.
 */
export function createLenient<Schema extends z.core.$ZodType>(schema: Schema): Schema;
/** The types of the parts of a schema are known only at run time. */
export function createLenient(schema: any): any {
  const { def } = schema._zod;
  if (def.type === 'enum') {
    return z.string();
  }
  if (def.type === 'object') {
    const shape: Record<string, z.ZodType> = {};
    for (const [key, value] of Object.entries<any>(def.shape)) {
      shape[key] = createLenient(value);
    }
    return z.object(shape);
  }

  const key = partKeys[def.type];
  if (key === undefined) {
    return schema;
  }

  const part = def[key];
  const lenient = Array.isArray(part) ? part.map(createLenient) : createLenient(part);
  return schema.clone({ ...def, [key]: lenient });
}
