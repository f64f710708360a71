import { z } from 'zod';

/**
 * A schema for documents that a newer program may have made: accepts unknown keys, unknown words of an enum, and keys that
 * contradict each other. Still rejects values of another type.
 */
export function lenient<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  return relaxed(schema as z.core.$ZodType as z.ZodType) as z.core.$ZodType as Schema;
}

function relaxed(schema: z.ZodType): z.ZodType {
  const { def } = schema._zod as unknown as { def: z.core.$ZodTypes['_zod']['def'] };
  const meta = schema.meta();
  const made = remade();
  return meta && made !== schema ? made.meta(meta) : made;

  function remade(): z.ZodType {
    switch (def.type) {
      case 'object': {
        const shape = Object.entries(def.shape).map(([key, value]) => [key, lenient(value)]);
        return z.object(Object.fromEntries(shape) as z.ZodRawShape);
      }
      case 'array':
        return clone({ ...def, element: lenient(def.element) });
      case 'record':
        return clone({ ...def, valueType: lenient(def.valueType) });
      case 'optional':
        return clone({ ...def, innerType: lenient(def.innerType) });
      case 'enum':
        return z.string();
      default:
        return schema;
    }
  }

  /** Keeps the checks of the schema, such as the length of an array. */
  function clone(changed: z.core.$ZodTypes['_zod']['def']): z.ZodType {
    return schema.clone(changed as z.core.$ZodTypeDef as z.ZodType['_zod']['def']);
  }
}
