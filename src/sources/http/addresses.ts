import { Failure, showUrl, SourceError } from './failures.ts';

const loopback = /(^|\.)localhost\.?$|^127(\.\d{1,3}){3}$|^\[::1\]$/;

/** Parses a URL. Throws for a URL that must not be requested. `plainHttpHosts`: the hosts that may be requested over plain http. */
export function parseUrl(plainHttpHosts: readonly string[], address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  const { protocol, hostname } = url ?? {};
  const mayBePlain = hostname && (loopback.test(hostname) || plainHttpHosts.includes(hostname));
  const isSafe = protocol === 'https:' || (protocol === 'http:' && mayBePlain);
  if (!url || !isSafe || url.username || url.password) {
    throw SourceError.at(
      url ?? address,
      'expected https: without credentials (http: is for loopback, and for plainHttpHosts of site/site.json)',
    );
  }

  url.hash = '';
  return url;
}

/** Matches a host that is this machine, or in a network that only this machine sees. */
const localNetwork =
  /^(?:(?:.*\.)?localhost\.?|\[.*\]|(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)\.[\d.]+)$/;

/** Throws if a redirect leads from https to plain http, or from the internet into a local network. */
export function expectSafeTarget(from: URL, to: URL): void {
  if (from.protocol === 'https:' && to.protocol !== 'https:') {
    throw new Failure(`leads to ${showUrl(to)}, which is not https:`);
  }
  if (localNetwork.test(to.hostname) && !localNetwork.test(from.hostname)) {
    throw new Failure(`leads to ${showUrl(to)}, an address in a local network`);
  }
}
