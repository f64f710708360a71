import { showUrl } from '../../io/http/error.ts';
import type { Fetcher, HttpSession } from '../../io/http/client.ts';
import { SourceError } from '../sources/source.ts';

/** How long asking may take, whatever upstreams do, in milliseconds. */
export interface Budgets {
  /** One source, its list and its look-ups together. */
  sourceMs: number;
  /** All sources of a run. The daily workflow needs its other minutes to commit, build and publish. */
  runMs: number;
}

export const defaultBudgets: Budgets = { sourceMs: 5 * 60_000, runMs: 20 * 60_000 };

/** The moment until which a source may ask, and what to say after it. */
export interface Deadline {
  msLeft(): number;
  /** What was used up. */
  budget: string;
}

export function startRun({ runMs }: Budgets): Deadline {
  const end = performance.now() + runMs;
  return { msLeft: () => end - performance.now(), budget: `the ${inWords(runMs)} of a run are` };
}

export function startSource(run: Deadline, { sourceMs }: Budgets): Deadline {
  if (run.msLeft() <= sourceMs) return run;
  const end = performance.now() + sourceMs;
  return { msLeft: () => end - performance.now(), budget: `the ${inWords(sourceMs)} of a source are` };
}

/**
 * The session with an end. A request that is under way then is not waited for, and none is begun: a list is not complete, and
 * what is looked up version by version is left to the next run.
 */
export function endAt(session: HttpSession, deadline: Deadline): HttpSession & Disposable {
  let end: (() => void) | undefined;
  const over = new Promise<void>((resolve) => (end = resolve));
  const timer = setTimeout(() => end?.(), Math.max(0, deadline.msLeft()));
  const fetch: Fetcher['fetch'] = async (request) => {
    const refusal = () =>
      new SourceError(`${showUrl(request.url)}: no answer before ${deadline.budget} over`);
    if (deadline.msLeft() <= 0) throw refusal();
    const answer = await Promise.race([session.fetch(request), over]);
    if (answer === undefined) throw refusal();
    return answer;
  };
  return { fetch, keep: session.keep, [Symbol.dispose]: () => clearTimeout(timer) };
}

function inWords(ms: number): string {
  return ms < 60_000 ? `${ms / 1000} s` : `${ms / 60_000} minutes`;
}
