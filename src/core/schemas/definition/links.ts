import { z } from 'zod';

export const maxUrlLength = 2000;
const expected = 'expected an https: address';
const expectedService = `${expected} (plain http: for loopback only)`;

/** An `https:` address without credentials: the only form that is published. */
export const HttpsUrl = checkAddress(/^https:\/\/[^\s<>"\\]+$/, expected).describe(
  'An https: address without credentials.',
);

const anyProtocol = /^https?:\/\/[^\s<>"\\]+$/;

/** The address of a service: `https:`, or plain `http:` on loopback, and never with credentials. */
export const ServiceUrl = checkAddress(
  anyProtocol,
  expectedService,
  (text) => !isPlainHttp(text),
).describe('An https: address without credentials; plain http: for loopback only.');

/** The address of an upstream. A definition may name plain `http:` for the hosts of `plainHttpHosts`. */
export const UpstreamUrl = checkAddress(anyProtocol, expected).describe(
  'An https: address without credentials; plain http: for loopback, and for plainHttpHosts of site/site.json.',
);

/** Whether an address names plain http for a host that is neither on loopback nor one of `hosts`. */
export function isPlainHttp(text: string, hosts: readonly string[] = []): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'http:' && !isLoopback(url) && !hosts.includes(url.hostname);
}

/** The address of a site. Paths are appended to it, also in Renovate's templates and in shells, where some characters are special. */
export const SiteUrl = ServiceUrl.refine((text) => !/[?#{}']/.test(text), {
  error: "expected an address without ?, #, ', { and }",
});

function checkAddress(
  form: RegExp,
  otherwise: string,
  admits: (text: string) => boolean = () => true,
) {
  const error = ({ input }: { input?: unknown }) => whyNoAddress(String(input), otherwise);
  return z
    .string()
    .regex(form, { error })
    .max(maxUrlLength)
    .refine((text) => whyNoAddress(text, '') === '' && admits(text), { error });
}

/** The problem with an address, or `otherwise`. Never quotes the address, as it may hold a password. */
function whyNoAddress(text: string, otherwise: string): string {
  if (!/^https?:\/\//.test(text)) {
    return /^https?:\/\//i.test(text) ? 'expected https: in lower-case letters' : expected;
  }

  const forbidden = /[\s<>"\\\p{Cc}]/u.exec(text)?.[0];
  if (forbidden !== undefined) {
    return `${expected} in which ${JSON.stringify(forbidden)} is written ${encodeURIComponent(forbidden)}`;
  }

  // A lone surrogate cannot be encoded as UTF-8.
  if (!text.isWellFormed()) {
    return `${expected} of whole characters`;
  }

  const port = /^https?:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/.exec(text)?.[1];
  if (port !== undefined && Number(port) > 65_535) {
    return `${expected} with a port up to 65535`;
  }

  const url = URL.parse(text);
  if (!url) {
    return `${expected} with a valid host name`;
  }
  if (url.username !== '' || url.password !== '') {
    return `${expected} without user name and password`;
  }

  return otherwise;
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
