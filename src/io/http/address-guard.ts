import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isLoopback, isUnsafeHttp } from '../../core/schemas/urls.ts';

/** Resolves names and tells public addresses from local ones. Tests supply their own. */
export interface AddressBook {
  lookup: LookupFunction;
  isPublic(address: string): boolean;
}

export const systemAddresses: AddressBook = { lookup: systemLookup as LookupFunction, isPublic };

export type AddressGuard = ReturnType<typeof createAddressGuard>;

/**
 * Decides which addresses a run may request: https: of all public hosts, and of local hosts that a person has named. A redirect or
 * the address of a token service can name any host, and must not lead into a network that only this machine sees.
 */
export function createAddressGuard(
  addressBook: AddressBook,
  plainHttpHosts: readonly string[] = [],
) {
  const trustedHosts = new Set<string>();

  /** False for `localhost` and for a literal local address, if not trusted. Other hosts are checked by `lookup`. */
  function isAdmitted(url: URL): boolean {
    if (trustedHosts.has(url.hostname)) {
      return true;
    }

    const literal = findLiteralAddress(url);
    return literal === undefined ? !isLoopback(url) : addressBook.isPublic(literal);
  }

  return {
    /** Trusts the host of this URL, even in a local network. */
    trust({ hostname }: URL): void {
      trustedHosts.add(hostname);
    },
    /** Why a URL must not be requested, as `is an address in a local network`; undefined if it may be. A `host` names it in an answer. */
    findProblem(url: URL, namedBy: 'person' | 'host'): string | undefined {
      if (url.username || url.password) {
        return 'has credentials in the URL';
      }

      const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
      if (!isHttp || isUnsafeHttp(url.href, plainHttpHosts)) {
        return 'is not https: (http: is for loopback, and for plainHttpHosts of site/site.json)';
      }

      return namedBy === 'person' || isAdmitted(url)
        ? undefined
        : 'is an address in a local network';
    },
    /** Checks while connecting, so DNS cannot change its answer in between. Fails with a `LocalAddressError`. */
    lookup(...[hostname, options, callback]: Parameters<LookupFunction>): void {
      if (trustedHosts.has(hostname)) {
        return addressBook.lookup(hostname, options, callback);
      }

      // Node asks for all addresses, to connect to the first that answers (`autoSelectFamily`).
      addressBook.lookup(hostname, options, (error, resolved) => {
        if (error) {
          return callback(error, []);
        }

        const records = resolved as LookupAddress[];
        const publicRecords = records.filter(({ address }) => addressBook.isPublic(address));
        if (publicRecords.length === 0) {
          return callback(new LocalAddressError(records.map(({ address }) => address)), []);
        }

        callback(null, publicRecords);
      });
    },
  };
}

/** A host has only local addresses. */
export class LocalAddressError extends Error {
  override readonly name = 'LocalAddressError';

  constructor(addresses: readonly string[]) {
    super(`the host leads to ${addresses.join(', ')}, an address in a local network`);
  }
}

/**
 * Whether an IPv4 or IPv6 literal is outside this machine, its local networks and the reserved ranges that ipaddr.js knows. Networks
 * without IPv4 reach an IPv4 address by one in IPv6 (NAT64, RFC 6052), which is as public as that.
 */
export function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address);
  const bytes = parsed.toByteArray();
  if (parsed.range() === 'rfc6052') {
    return isPublic(bytes.slice(-4).join('.'));
  }

  // An IPv4 address behind zeros, which ipaddr.js takes for any other.
  const isCompatible = bytes.length > 4 && bytes.slice(0, 12).every((part) => part === 0);
  return !isCompatible && parsed.range() === 'unicast';
}

/** The IP address in a URL, without brackets; undefined for a name. */
function findLiteralAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(host) ? host : undefined;
}
