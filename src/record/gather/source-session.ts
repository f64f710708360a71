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
}: SessionContext): HttpSession & Disposable {
  const session = http.openSession();
  const sourceEnd = performance.now() + sourceMs;
  const end = Math.min(runEnd, sourceEnd);
  const owner = runEnd <= sourceEnd ? 'run' : 'source';

  const timeout = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => timeout.resolve(undefined), Math.max(0, end - performance.now()));

  const fetch: Fetcher['fetch'] = async (request) => {
    if (performance.now() < end) {
      const answer = await Promise.race([session.fetch(request), timeout.promise]);
      if (answer) {
        return answer;
      }
    }

    throw SourceError.at(request.url, `no answer before the time of a ${owner} was over`);
  };

  return { fetch, keep: session.keep, [Symbol.dispose]: () => clearTimeout(timer) };
}
