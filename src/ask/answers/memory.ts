/** Interval at which a request looks for the value that another request makes. */
const pollIntervalMs = 10;
/** After this time without a value, one of the waiting requests makes it. */
const longestWaitMs = 3000;

/**
 * Returns a function that makes a value once, also for several requests at the same time, and tries again after a failure. A request
 * polls for the value instead of awaiting the promise of another request: a Worker cancels the promises of a request whose client
 * has gone.
 */
export function keepValue<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let kept: { readonly value: Value } | undefined;
  let waitUntil = 0;

  return async () => {
    while (Date.now() < waitUntil) {
      await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
    }
    if (kept) {
      return kept.value;
    }

    waitUntil = Date.now() + longestWaitMs;
    try {
      const value = await make();
      // Another request may have made it since: all get the same.
      kept ??= { value };
      return kept.value;
    } finally {
      waitUntil = 0;
    }
  };
}

/** Returns a function that makes a value for a key in the same way, and keeps only the one for the last key. */
export function keepLastValue<Value>(
  make: (key: string) => Promise<Value>,
): (key: string) => Promise<Value> {
  let last: { readonly key: string; readonly read: () => Promise<Value> } | undefined;

  return (key) => {
    if (last?.key !== key) {
      last = { key, read: keepValue(() => make(key)) };
    }

    return last.read();
  };
}

/**
 * Returns a function that reads a value once for each key, of up to `maxKept` keys, and again after a failure. It shares promises,
 * so it is for a page, or for a single request.
 */
export function keepPromises<Value>(
  read: (key: string) => Promise<Value>,
  maxKept = Infinity,
): (key: string) => Promise<Value> {
  const promises = new Map<string, Promise<Value>>();

  return (key) => {
    const earlierPromise = promises.get(key);
    if (earlierPromise) {
      return earlierPromise;
    }
    if (promises.size === maxKept) {
      promises.clear();
    }

    const promise = read(key);
    promises.set(key, promise);
    promise.catch(() => {
      if (promises.get(key) === promise) {
        promises.delete(key);
      }
    });
    return promise;
  };
}
