/** Tells whether a value from a foreign document is an object, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an object with only the given keys of a value, in the order of `keys`. */
export function pick<T, Key extends keyof T>(value: T, keys: readonly Key[]): Pick<T, Key> {
  const picked = {} as Pick<T, Key>;
  for (const key of keys) {
    picked[key] = value[key];
  }
  return picked;
}

export function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
