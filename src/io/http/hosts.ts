import pLimit, { type LimitFunction } from 'p-limit';
import { Failure } from './error.ts';
import type { Clock } from './retry.ts';

/** Requests at the same time: to one host (contract, section 3), and in all, since each holds a body in memory. */
const PER_HOST = 8;
const OVERALL = 32;

/** Queues the requests of a run by host. */
export type Hosts = ReturnType<typeof createHosts>;

interface Host {
  limit: LimitFunction;
  heldUntil: number;
  down?: Failure;
}

export function createHosts(clock: Clock) {
  const overall = pLimit(OVERALL);
  const hosts = new Map<string, Host>();

  return {
    /** Runs `work` when its host has room. Throws a `Failure` at once for a host known to be unreachable. */
    run<T>(url: URL, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      const host = hostOf(url);
      const rejectIfDown = () => {
        if (host.down) throw new Failure({ ...host.down.details, url, retry: 'never' });
      };
      // Waiting for the host's own limit first leaves the overall places to requests for other hosts.
      return host.limit(async () => {
        rejectIfDown();
        const waitMs = host.heldUntil - clock.now();
        if (waitMs > 0 && !signal.aborted) await clock.sleep(waitMs, signal).catch(() => undefined);
        return overall(() => {
          rejectIfDown();
          return work();
        });
      });
    },
    /** The host is unreachable: from now on its requests fail for the same reason. */
    giveUp(failure: Failure): void {
      hostOf(failure.details.url).down ??= failure;
    },
    /** The host asked us to wait until this instant. */
    holdUntil(url: URL, instant: number): void {
      const host = hostOf(url);
      host.heldUntil = Math.max(host.heldUntil, instant);
    },
  };

  function hostOf(url: URL): Host {
    let host = hosts.get(url.host);
    if (!host) hosts.set(url.host, (host = { limit: pLimit(PER_HOST), heldUntil: 0 }));
    return host;
  }
}
