/** Interval at which a request looks for the value that another request makes. */
const pollIntervalMs = 10;
/** After this time, the request makes the value itself. */
const longestWaitMs = 3000;

/**
 * The function, which keeps up to `maxKept` values by key, and makes each once even if several requests need it at the same time. A
 * request polls for the value instead of awaiting the promise of another request: a Worker cancels the promises of a request whose
 * client has gone.
 */
export function keepValues<Value>(
  make: (key: string) => Promise<Value>,
  maxKept = Infinity,
): (key?: string) => Promise<Value> {
  const values = new Map<string, Value>();
  const deadlines = new Map<string, number>();

  return async (key = '') => {
    while (!values.has(key) && Date.now() < (deadlines.get(key) ?? 0)) {
      await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
    }

    if (!values.has(key)) {
      deadlines.set(key, Date.now() + longestWaitMs);
      try {
        const value = await make(key);
        // Another request may have made it since: all get the same.
        if (!values.has(key)) {
          if (values.size === maxKept) {
            values.clear();
          }

          values.set(key, value);
        }
      } finally {
        deadlines.delete(key);
      }
    }

    return values.get(key) as Value;
  };
}

/** The function, which keeps up to `maxKept` promises by key. After a failure, the next call tries again. */
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
