import * as z from 'zod';
import { createTextSchema } from './keys.ts';

export const maxUrlLength = 2000;

const expectedUrl = 'expected an https: address';

/** An `https:` address without credentials: the only form that is published. */
export const HttpsUrl = createUrlSchema(/^https:\/\/[^\s<>"\\]+$/).describe(
  'An https: address without credentials.',
);

/**
 * The address of an upstream. Accepts plain `http:` of every host, since the allowed hosts are a setting: readers of definitions and
 * the HTTP client check them.
 */
export const UpstreamUrl = createUrlSchema(/^https?:\/\/[^\s<>"\\]+$/).describe(
  'An https: address without credentials; plain http: for loopback, and for plainHttpHosts of site/site.json.',
);

/** The address of a service: `https:`, or plain `http:` on loopback, and never with credentials. */
export const ServiceUrl = UpstreamUrl.refine((text) => !isUnsafeHttp(text), {
  error: `${expectedUrl} (plain http: for loopback only)`,
}).describe('An https: address without credentials; plain http: for loopback only.');

/** The address of a site. Paths are appended to it, also in Renovate's templates, and without quotes in commands for a shell. */
export const SiteUrl = ServiceUrl.refine((text) => !/[?#{}'`$&;|()*!]/.test(text), {
  error: "expected an address without any of ? # { } ' ` $ & ; | ( ) * !",
});

/** `form`: for programs that read the schema. The rules before it say more about a wrong address. */
function createUrlSchema(form: RegExp) {
  const anyAddress = z.string().max(maxUrlLength, { abort: true });
  return createTextSchema(anyAddress, findUrlProblem).regex(form, { error: expectedUrl });
}

/** Whether an address is plain http of a host that is neither on loopback nor one of `hosts`. */
export function isUnsafeHttp(text: string, hosts: readonly string[] = []): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'http:' && !isLoopback(url) && !hosts.includes(url.hostname);
}

/** In IPv4, in the IPv6 form of IPv4 (`[::ffff:7f00:1]` is 127.0.0.1), or in IPv6. */
const loopbackAddress = /^127(\.\d{1,3}){3}$|^\[::ffff:7f\w\w:\w+\]$|^\[::1\]$/;

/** `localhost` and all names below it are loopback, whatever DNS says (RFC 6761, section 6.3). */
export function isLoopback({ hostname }: URL): boolean {
  return /(^|\.)localhost\.?$/.test(hostname) || loopbackAddress.test(hostname);
}

/** The problem with an address of http or https. Never quotes the address, as it may hold a password. */
function findUrlProblem(text: string): string | undefined {
  if (!/^https?:\/\//.test(text)) {
    return expectedUrl;
  }
  // A lone surrogate cannot be encoded as UTF-8.
  if (/[\s<>"\\\p{Cc}\p{Cs}]/u.test(text)) {
    return String.raw`${expectedUrl} in which white space, <, >, " and \ are percent-encoded`;
  }

  const url = URL.parse(text);
  if (!url) {
    return `${expectedUrl} with a valid host name and port`;
  }
  if (url.username !== '' || url.password !== '') {
    return `${expectedUrl} without user name and password`;
  }

  return undefined;
}
