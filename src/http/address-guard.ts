import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { DNS_TIMEOUT } from './network.ts';

const NOT_PUBLIC = new Set([
  'unspecified',
  'broadcast',
  'multicast',
  'linkLocal',
  'loopback',
  'carrierGradeNat',
  'private',
  'uniqueLocal',
  'deprecatedSiteLocal',
  'teredo',
]);

/** How names become addresses, and which addresses count as public. Tests bring their own. */
export interface AddressBook {
  lookup: LookupFunction;
  isPublic(address: string): boolean;
}

export const systemAddresses: AddressBook = { lookup: systemLookup as LookupFunction, isPublic };

/** Whether an address lies outside this machine and its local networks. `address` is an IPv4 or IPv6 literal. */
export function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6) {
    const embedded = embeddedIPv4(parsed);
    if (embedded) return isPublic(embedded);
  }
  return !NOT_PUBLIC.has(parsed.range());
}

// The IPv4 address that an IPv6 one leads to: mapped (RFC 4291), NAT64 (RFC 6052, 6145), 6to4 (RFC 3056).
function embeddedIPv4(address: ipaddr.IPv6): string | undefined {
  const parts = address.toByteArray();
  const at = { ipv4Mapped: 12, rfc6145: 12, rfc6052: 12, '6to4': 2 }[address.range() as string];
  return at === undefined ? undefined : parts.slice(at, at + 4).join('.');
}

/** The address a URL names literally, without brackets; undefined for a name. */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(host) ? host : undefined;
}

/** `localhost` and what lies under it is loopback whatever DNS says (RFC 6761, section 6.3). */
export function isLocalhost(url: URL): boolean {
  return /(^|\.)localhost\.?$/i.test(url.hostname);
}

export function isLoopback(url: URL): boolean {
  const address = literalAddress(url);
  if (address === undefined) return isLocalhost(url);
  return ipaddr.process(address).range() === 'loopback';
}

/** Rejected by the guarded lookup: the name leads into a local network only. */
export class LocalAddressError extends Error {
  override readonly name = 'LocalAddressError';
  readonly addresses: readonly string[];

  constructor(hostname: string, addresses: readonly string[]) {
    super(`${hostname} leads to ${addresses.join(', ')}`);
    this.addresses = addresses;
  }
}

/** A lookup that gives up after `timeoutMs`: the system's own takes up to half a minute. */
export function timedLookup(lookup: LookupFunction, timeoutMs: number): LookupFunction {
  return (hostname, options, callback) => {
    let isDone = false;
    const timer = setTimeout(() => {
      isDone = true;
      callback(
        Object.assign(new Error(`looking up ${hostname} took too long`), { code: DNS_TIMEOUT }),
        '',
        0,
      );
    }, timeoutMs);
    lookup(hostname, options, (...answer) => {
      clearTimeout(timer);
      if (!isDone) callback(...answer);
    });
  };
}

/** A lookup that answers public addresses only. Checking here, on connecting, leaves no room for DNS rebinding. */
export function guardedLookup(
  lookup: LookupFunction,
  isPublicAddress: AddressBook['isPublic'],
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0);
      const addresses = found as LookupAddress[];
      const usable = addresses.filter(({ address }) => isPublicAddress(address));
      const first = usable[0];
      if (!first) {
        const refused = addresses.map(({ address }) => address);
        return callback(new LocalAddressError(hostname, refused), '', 0);
      }
      if (options.all) return callback(null, usable);
      callback(null, first.address, first.family);
    });
  };
}
