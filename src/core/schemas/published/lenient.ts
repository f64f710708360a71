import * as z from 'zod';

/**
 * A schema for documents that a newer program may have made: accepts unknown keys, unknown words of an enum, and keys that
 * contradict each other. Still rejects values of another type.
 */
export function createLenient<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  // The types of the parts of a schema are known only at run time.
  const original: any = schema;
  const relaxed = relax(original);
  const meta = original.meta();
  return meta && relaxed !== original ? relaxed.meta(meta) : relaxed;
}

/** The key of the part or the parts of a schema that become lenient, too; all other checks stay, such as the length of an array. */
const innerParts: Readonly<Record<string, string>> = {
  array: 'element',
  record: 'valueType',
  optional: 'innerType',
  union: 'options',
};

function relax(schema: any): any {
  const { def } = schema._zod;
  if (def.type === 'enum') {
    return z.string();
  }
  if (def.type === 'object') {
    const shape: Record<string, z.ZodType> = {};
    for (const [key, value] of Object.entries<z.ZodType>(def.shape)) {
      shape[key] = createLenient(value);
    }
    return z.object(shape);
  }

  const key = innerParts[def.type];
  if (key === undefined) {
    return schema;
  }

  const part = def[key];
  const lenient = Array.isArray(part) ? part.map(createLenient) : createLenient(part);
  return schema.clone({ ...def, [key]: lenient });
}
