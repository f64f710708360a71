import type { Fetcher, Http, HttpSession } from '../../io/http/client.ts';
import { SourceError } from '../sources/datasource.ts';

/** Time limits of requests, in milliseconds. */
export const budgets = {
  /** All requests of one source. */
  sourceMs: 5 * 60_000,
  /** All sources of a run. The daily workflow needs its remaining minutes to commit, build and publish. */
  runMs: 20 * 60_000,
};

export interface SessionContext {
  http: Http;
  /** In place of the budget of a source. */
  sourceMs?: number | undefined;
  /** The end of all requests of the run, in milliseconds on the clock of `performance.now`. */
  runEnd: number;
}

/**
 * A session that ends with the budget of the source or the run. After its end, pending and new requests fail: a list is then
 * incomplete, and single versions are left to the next run.
 */
export function openSession({
  http,
  runEnd,
  sourceMs = budgets.sourceMs,
}: SessionContext): HttpSession {
  const session = http.openSession();
  const sourceEnd = performance.now() + sourceMs;
  const end = Math.min(runEnd, sourceEnd);
  const owner = runEnd <= sourceEnd ? 'run' : 'source';

  const fetch: Fetcher['fetch'] = async (request) => {
    const remainingMs = end - performance.now();
    if (remainingMs > 0) {
      // One promise for the whole session would keep each answer that it raced with in memory.
      const { promise, resolve } = Promise.withResolvers<undefined>();
      const timer = setTimeout(() => resolve(undefined), remainingMs);
      const race = Promise.race([session.fetch(request), promise]);
      const answer = await race.finally(() => clearTimeout(timer));
      if (answer) {
        return answer;
      }
    }

    throw SourceError.at(request.url, `no answer before the time of a ${owner} was over`);
  };

  return { fetch, keep: session.keep };
}
