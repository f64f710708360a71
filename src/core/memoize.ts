/**
 * Calls a function once for each key, and keeps its result for the life of the process. Keys are compared as in a `Map`. A build renders
 * some files from the program alone, and a preview or a test builds many times.
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
