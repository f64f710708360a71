/**
 * Returns a function that calls `make` once for each key, and keeps the results until the process ends. Keys are compared as in a `Map`.
 * The result must depend only on the key and the program: the templates of the pages, for example.
 */
export function memoize<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) {
      return known;
    }
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
