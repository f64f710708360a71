import { type AddressGuard, isLoopback } from './address-guard.ts';
import { showUrl } from './error.ts';
import { Failure } from './failure.ts';

/** One URL on the way to an answer. */
export interface Hop {
  url: URL;
  /** the URLs before this one */
  trail: readonly URL[];
  /** no other origin is among those before, so credentials may be sent */
  isSameOrigin: boolean;
}

/** The first hop. Throws a `Failure` for a URL that is never asked for. */
export function firstHop(url: URL): Hop {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) {
    throw forbidden(url, ' is not asked for: only https: is (http: for loopback)');
  }
  refuseCredentials(url, url);
  return { url, trail: [], isSameOrigin: true };
}

export interface RedirectRules {
  maxRedirects: number;
  guard: AddressGuard;
}

/** Where `location` leads from `hop`. Throws a `Failure` for a redirect that is not followed. */
export function nextHop(hop: Hop, location: string, { maxRedirects, guard }: RedirectRules): Hop {
  const trail = [...hop.trail, hop.url];
  const url = leadsTo(hop.url, location, guard);
  if (trail.some(({ href }) => href === url.href)) {
    const way = [...trail.map(showUrl), showUrl(url)].join(' -> ');
    throw new Failure({ kind: 'limit', url: hop.url, text: ` redirects in a loop: ${way}` });
  }
  if (trail.length > maxRedirects) {
    const text = ` redirects once more, after ${maxRedirects} redirects`;
    throw new Failure({ kind: 'limit', url: hop.url, text });
  }
  return { url, trail, isSameOrigin: hop.isSameOrigin && url.origin === hop.url.origin };
}

/** Checks an address that an answer names, for a redirect or a token, before anything is sent there. */
export function leadsTo(from: URL, location: string, guard: AddressGuard): URL {
  const url = URL.parse(location, from.href);
  if (!url) throw forbidden(from, ' leads to an address that is not a URL');
  url.hash = '';
  refuseCredentials(url, from);
  const isAllowed =
    url.protocol === 'https:' || (url.protocol === 'http:' && from.protocol === 'http:' && isLoopback(url));
  if (!isAllowed) throw forbidden(from, ` leads to ${showUrl(url)}, which is not https:`);
  if (!guard.admits(url)) throw forbidden(from, ` leads to ${showUrl(url)}, an address in a local network`);
  return url;
}

function refuseCredentials(url: URL, at: URL): void {
  if (!url.username && !url.password) return;
  throw forbidden(at, at === url ? ' names credentials in the URL' : ' leads to a URL with credentials');
}

function forbidden(url: URL, text: string): Failure {
  return new Failure({ kind: 'forbidden', url, text });
}
