/** Interval at which a request looks for the value that another request makes, and the time after which it makes the value itself. */
const lookEachMs = 10;
const mostWaitedMs = 3000;

/**
 * Keeps values, and makes each value once even if several requests need it at the same time. A request polls for the value
 * instead of awaiting the promise of another request: a Worker cancels the promises of a request whose client has gone.
 */
export function createMemory() {
  const madeValues = new Map<string, unknown>();
  const madeUntil = new Map<string, number>();

  return {
    values: madeValues,
    async once<Value>(key: string, make: () => Promise<Value>): Promise<Value> {
      while (!madeValues.has(key) && Date.now() < (madeUntil.get(key) ?? 0)) {
        await new Promise((done) => setTimeout(done, lookEachMs));
      }

      if (madeValues.has(key)) {
        return madeValues.get(key) as Value;
      }

      madeUntil.set(key, Date.now() + mostWaitedMs);

      try {
        const made = await make();

        if (!madeValues.has(key)) {
          madeValues.set(key, made);
        }

        return madeValues.get(key) as Value;
      } finally {
        madeUntil.delete(key);
      }
    },
  };
}
