import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isLoopback } from '../../core/schemas/urls.ts';

/** Resolves names and tells public addresses from local ones. Tests supply their own. */
export interface AddressBook {
  lookup: LookupFunction;
  isPublic(address: string): boolean;
}

export const systemAddresses: AddressBook = { lookup: systemLookup as LookupFunction, isPublic };

/**
 * Decides which hosts a run may reach: all public hosts, and local hosts that a person has named. A redirect or the address of a
 * token service can name any host, and must not lead into a network that only this machine sees.
 */
export interface AddressGuard {
  /** Trusts the host of this URL, even in a local network. */
  trust(url: URL): void;
  /** False for a URL that names a local address literally. Other hosts are checked by `lookup`. */
  admits(url: URL): boolean;
  /** Whether the URL names plain http on loopback, or for a host that a person has named. */
  admitsPlainHttp(url: URL): boolean;
  /** Checks while connecting, so DNS cannot change its answer in between. Fails with a `LocalAddressError`. */
  lookup: LookupFunction;
}

export function createAddressGuard(
  addressBook: AddressBook,
  plainHttpHosts: readonly string[] = [],
): AddressGuard {
  const trustedHosts = new Set<string>();

  return {
    trust({ hostname }) {
      trustedHosts.add(hostname);
    },
    admits(url) {
      if (trustedHosts.has(url.hostname)) {
        return true;
      }

      const literal = findLiteralAddress(url);
      return literal === undefined ? !isLoopback(url) : addressBook.isPublic(literal);
    },
    admitsPlainHttp: (url) =>
      url.protocol === 'http:' && (isLoopback(url) || plainHttpHosts.includes(url.hostname)),
    lookup(hostname, options, callback) {
      if (trustedHosts.has(hostname)) {
        return addressBook.lookup(hostname, options, callback);
      }

      addressBook.lookup(hostname, { ...options, all: true }, (error, resolved) => {
        if (error) {
          return callback(error, '', 0);
        }

        // With `all`, it is a list.
        const records = resolved as LookupAddress[];
        const publicRecords = records.filter(({ address }) => addressBook.isPublic(address));
        const [first] = publicRecords;
        if (!first) {
          return callback(new LocalAddressError(records.map(({ address }) => address)), '', 0);
        }
        if (options.all) {
          return callback(null, publicRecords);
        }

        callback(null, first.address, first.family);
      });
    },
  };
}

/** A host has only local addresses. */
export class LocalAddressError extends Error {
  override readonly name = 'LocalAddressError';
  readonly addresses: readonly string[];

  constructor(addresses: readonly string[]) {
    super(`the host has only local addresses: ${addresses.join(', ')}`);
    this.addresses = addresses;
  }
}

/** Whether an IPv4 or IPv6 literal is outside this machine, its local networks and all reserved ranges. */
export function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6) {
    const embedded = extractIPv4(parsed);
    if (embedded) {
      return isPublic(embedded);
    }
  }

  return parsed.range() === 'unicast';
}

// The IPv4 address inside an IPv6 address: compatible, mapped (RFC 4291), NAT64 (RFC 6052, 6145), 6to4 (RFC 3056).
function extractIPv4(address: ipaddr.IPv6): string | undefined {
  const parts = address.toByteArray();
  const starts = new Map([
    ['ipv4Mapped', 12],
    ['rfc6145', 12],
    ['rfc6052', 12],
    ['6to4', 2],
  ]);
  const isCompatible = parts.slice(0, 12).every((part) => part === 0);
  const start = isCompatible ? 12 : starts.get(address.range());
  return start === undefined ? undefined : parts.slice(start, start + 4).join('.');
}

/** The IP address in a URL, without brackets; undefined for a name. */
function findLiteralAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(host) ? host : undefined;
}
