import type { z } from 'zod';
import { findNearest } from '../text/wording.ts';

/** Adds the keys that an object may have to the issue of its unknown keys: zod shows the schema of an object only here. */
export function addKnownKeys(issue: z.core.$ZodRawIssue): undefined {
  if (issue.code === 'unrecognized_keys') {
    const schema = issue.inst as z.ZodObject | undefined;
    issue['knownKeys'] = Object.keys(schema?.shape ?? {});
  }
}

export type UnknownKeysIssue = z.core.$ZodIssueUnrecognizedKeys & {
  readonly knownKeys?: readonly string[];
};

/** A hint for an unknown key: the known key that it resembles, otherwise all known keys. */
export function describeKnownKeys(key: string, { knownKeys = [] }: UnknownKeysIssue): string {
  const nearest = findNearest(key, knownKeys);
  if (nearest !== undefined) {
    return `did you mean "${nearest}"? Otherwise remove or correct it`;
  }

  const list = knownKeys.length > 0 ? `known are ${knownKeys.join(', ')}; ` : '';
  return `${list}remove or correct it`;
}

/** The place of a key in a document, `externalOauth.issuers[]`, and the schema of its value. */
interface KeyPlace {
  readonly place: string;
  readonly schema: z.ZodType;
}

/** A hint that an unknown key belongs elsewhere; undefined if its value would be wrong there, too. */
export function describeOtherPlace(
  places: KeyPlaces,
  place: string,
  key: string,
  value: unknown,
): string | undefined {
  const keyPlace = places.get(key);
  // At the same place, another form of the object has the key.
  if (!keyPlace || keyPlace.place === place || !keyPlace.schema.safeParse(value).success) {
    return undefined;
  }

  return `it belongs ${keyPlace.place === '' ? 'at the top' : `in ${keyPlace.place}`}; move or remove it`;
}

export type KeyPlaces = ReadonlyMap<string, KeyPlace>;

/** The first place of each key in a document. */
export function mapKeyPlaces(schema: z.ZodType): KeyPlaces {
  // Of entries with the same key, a Map holds the last.
  return new Map([...listKeyPlaces(schema, '', 0)].reverse());
}

/** Our own documents have fewer levels; schemas may refer to themselves. */
const maxKeyLevel = 12;

/**
 * The places of keys in a part of a document, whose schema is known only at run time. Keys of records are left out: they may
 * have any name.
 */
function* listKeyPlaces(
  schema: any,
  place: string,
  level: number,
): Generator<[key: string, KeyPlace]> {
  if (!schema || level > maxKeyLevel) {
    return;
  }

  const { shape = {}, element, innerType, out, options = [] } = schema._zod.def;
  for (const [key, value] of Object.entries<z.ZodType>(shape)) {
    yield [key, { place, schema: value }];
    yield* listKeyPlaces(value, place === '' ? key : `${place}.${key}`, level + 1);
  }

  yield* listKeyPlaces(element, `${place}[]`, level + 1);

  for (const part of [innerType, out, ...options]) {
    yield* listKeyPlaces(part, place, level + 1);
  }
}
