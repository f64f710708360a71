/** Whether a value of foreign JSON is an object, not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list with at least one element. */
export type NonEmpty<Element> = readonly [Element, ...Element[]];

/** Each text once. Undefined for an empty list, which becomes an absent key. */
export function listDistinct(texts: readonly string[]): string[] | undefined {
  return dropEmpty([...new Set(texts)]);
}

/** The list. Undefined for an empty one, which becomes an absent key. */
export function dropEmpty<Item>(items: readonly Item[]): Item[] | undefined {
  return items.length > 0 ? [...items] : undefined;
}

/** Joins each item to the group before it, if it belongs together with the first item of that group. */
export function groupNeighbours<Item>(
  items: readonly Item[],
  belongTogether: (item: Item, first: Item) => boolean,
): [Item, ...Item[]][] {
  const groups: [Item, ...Item[]][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (group && belongTogether(item, group[0])) {
      group.push(item);
    } else {
      groups.push([item]);
    }
  }
  return groups;
}

/** The named keys with their values, also those whose value is undefined. */
export function pick<T extends object, K extends keyof T>(
  object: T,
  keys: readonly K[],
): Pick<T, K> {
  const picked: Partial<T> = {};
  for (const key of keys) {
    picked[key] = object[key];
  }
  return picked as Pick<T, K>;
}

/** Without keys whose value is undefined: `exactOptionalPropertyTypes` and JSON need them absent. */
export function dropUndefined<T extends object>(object: T): Defined<T> {
  const result: Partial<T> = {};
  for (const key in object) {
    if (object[key] !== undefined) {
      result[key] = object[key];
    }
  }
  return result as Defined<T>;
}

/** Like `pick`, without keys whose value is undefined. */
export function pickDefined<T extends object, K extends keyof T>(
  object: T,
  keys: readonly K[],
): Defined<Pick<T, K>> {
  return dropUndefined(pick(object, keys));
}

/** The keys whose value may be undefined. */
type Optional<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];
/** The type with these keys optional, and without undefined as their value. */
type Defined<T> = Omit<T, Optional<T>> & { [K in Optional<T>]?: Exclude<T[K], undefined> };

/**
 * A function that makes a value for an object once, and keeps it for as long as the object is in use. It makes undefined again. Modules
 * of pages mark their calls as pure, so that the script of a page leaves out what it does not use.
 */
export function keepByObject<Key extends object, Value>(
  make: (key: Key) => Value,
): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    const value = values.get(key) ?? make(key);
    values.set(key, value);
    return value;
  };
}

/** The record with its keys in one order: whole numbers first, as in every object, then by their characters. */
export function sortKeys<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
