import type { z } from 'zod';
import { findNearest } from '../text/wording.ts';

/** What hints about the unknown keys of a document are made of. */
export interface KeyHints {
  /** The first place of each key. */
  readonly places: ReadonlyMap<string, KeyPlace>;
  /** The known keys of each object with unknown ones, under the list of the unknown ones. */
  readonly knownKeys: Map<readonly string[], readonly string[]>;
}

/** The place of a key in a document, `externalOauth.issuers[]`, and the schema of its value. */
interface KeyPlace {
  readonly place: string;
  readonly schema: z.ZodType;
}

export function createKeyHints(schema: z.ZodType): KeyHints {
  const places = new Map<string, KeyPlace>();
  for (const [key, place] of listKeyPlaces(schema, '', 0)) {
    if (!places.has(key)) {
      places.set(key, place);
    }
  }
  return { places, knownKeys: new Map() };
}

/** Adds the known keys of an object: zod names them only to the function that words a problem. */
export function addKnownKeys({ knownKeys }: KeyHints, issue: z.core.$ZodRawIssue): undefined {
  if (issue.code === 'unrecognized_keys') {
    const schema = issue.inst as z.ZodObject | undefined;
    knownKeys.set(issue.keys, Object.keys(schema?.shape ?? {}));
  }
}

/** The place that an unknown key belongs to, and what to do. Undefined where its value would be wrong there, too. */
export function describeOtherPlace(
  { places }: KeyHints,
  place: string,
  key: string,
  value: unknown,
): string | undefined {
  // At the same place, another form of the object has the key.
  const known = places.get(key);
  if (!known || known.place === place || !known.schema.safeParse(value).success) {
    return undefined;
  }

  const target = known.place === '' ? 'at the top' : `in ${known.place}`;
  return `it belongs ${target}; move or remove it`;
}

/** The keys that an object could have instead of one of its unknown keys, and what to do. */
export function describeKnownKeys(
  hints: KeyHints,
  unknownKeys: readonly string[],
  key: string,
): string {
  const knownKeys = hints.knownKeys.get(unknownKeys) ?? [];
  const nearest = findNearest(key, knownKeys);
  if (nearest !== undefined) {
    return `did you mean "${nearest}"? Otherwise remove or correct it`;
  }

  const list = knownKeys.length > 0 ? `known are ${knownKeys.join(', ')}; ` : '';
  return `${list}remove or correct it`;
}

/** Our own documents have fewer levels; schemas may refer to themselves. */
const maxKeyLevel = 12;

/** The parts of a schema that may hold keys. Records are left out: their keys may have any name. */
interface SchemaParts {
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly out?: z.ZodType;
  readonly options?: readonly z.ZodType[];
}

function* listKeyPlaces(
  schema: z.ZodType | undefined,
  place: string,
  level: number,
): Generator<[key: string, KeyPlace]> {
  if (!schema || level > maxKeyLevel) {
    return;
  }

  const { shape = {}, element, innerType, out, options = [] } = schema._zod.def as SchemaParts;
  for (const [key, value] of Object.entries(shape)) {
    yield [key, { place, schema: value }];
    yield* listKeyPlaces(value, place === '' ? key : `${place}.${key}`, level + 1);
  }

  yield* listKeyPlaces(element, `${place}[]`, level + 1);

  for (const part of [innerType, out, ...options]) {
    yield* listKeyPlaces(part, place, level + 1);
  }
}
