import * as z from 'zod';

/**
 * A schema for documents that a newer program may have made: accepts unknown keys, unknown words of an enum, and keys that
 * contradict each other. Still rejects values of another type.
 */
export function createLenient<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  return relax(schema);
}

/** By the type of a schema: the key of its parts, which become lenient, too. Its other checks stay, such as the length of an array. */
const partKeys: Readonly<Record<string, string>> = {
  array: 'element',
  record: 'valueType',
  optional: 'innerType',
  union: 'options',
};

/** The types of the parts of a schema are known only at run time. */
function relax(schema: any): any {
  const { def } = schema._zod;
  if (def.type === 'enum') {
    return z.string();
  }
  if (def.type === 'object') {
    const shape: Record<string, z.ZodType> = {};
    for (const [key, value] of Object.entries(def.shape)) {
      shape[key] = relax(value);
    }
    return z.object(shape);
  }

  const key = partKeys[def.type];
  if (key === undefined) {
    return schema;
  }

  const part = def[key];
  const lenient = Array.isArray(part) ? part.map(relax) : relax(part);
  return schema.clone({ ...def, [key]: lenient });
}
