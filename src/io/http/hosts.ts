import pLimit, { type LimitFunction } from 'p-limit';
import { Failure } from './failure.ts';
import type { HttpLimits } from './limits.ts';
import type { Clock } from './retry.ts';

/** What is known of each host during a run, and how many requests it gets at a time. */
export interface Hosts {
  /** runs `work` when its host has room; fails at once for a host known to be unreachable */
  run<T>(url: URL, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** the host cannot be reached: from now on its requests fail for the same reason */
  giveUp(url: URL, failure: Failure): void;
  /** the host asked not to be asked until this instant */
  holdUntil(url: URL, instant: number): void;
}

interface Host {
  limit: LimitFunction;
  heldUntil: number;
  down?: Failure;
}

export function createHosts(limits: HttpLimits, clock: Clock): Hosts {
  const overall = pLimit(limits.overall);
  const hosts = new Map<string, Host>();

  return {
    run(url, signal, work) {
      const host = hostOf(url);
      // Waiting for the host's own limit first leaves the overall places to requests for other hosts.
      return host.limit(async () => {
        refuse(host, url);
        const waitMs = host.heldUntil - clock.now();
        if (waitMs > 0 && !signal.aborted) await clock.sleep(waitMs, signal).catch(() => undefined);
        return overall(() => {
          refuse(host, url);
          return work();
        });
      });
    },
    giveUp(url, failure) {
      hostOf(url).down ??= failure;
    },
    holdUntil(url, instant) {
      const host = hostOf(url);
      host.heldUntil = Math.max(host.heldUntil, instant);
    },
  };

  function hostOf(url: URL): Host {
    const known = hosts.get(url.host);
    if (known) return known;
    const host: Host = { limit: pLimit(limits.perHost), heldUntil: 0 };
    hosts.set(url.host, host);
    return host;
  }
}

function refuse(host: Host, url: URL): void {
  if (host.down) throw new Failure({ ...host.down.details, url, retry: 'never' });
}
