import { z } from 'zod';

const maxUrlLength = 2000;

/** An `https:` address without credentials. Only these are published. */
export const HttpsUrl = z
  .string()
  .regex(/^https:\/\/[^\s<>"'\\]+$/, { error: 'expected an https: address' })
  .max(maxUrlLength)
  .refine(isWithoutCredentials, { error: 'expected an https: address without credentials' })
  .meta({ description: 'An https: address without credentials.' });

/** Where upstream is asked: `https:`, or plain `http:` on loopback, and never with credentials. */
export const UpstreamUrl = z
  .string()
  .regex(/^https?:\/\/[^\s<>"'\\]+$/, {
    error: 'expected an https: address (plain http: for loopback only)',
  })
  .max(maxUrlLength)
  .refine((text) => isWithoutCredentials(text) && (text.startsWith('https:') || isLoopback(text)), {
    error: 'expected an https: address without credentials (plain http: for loopback only)',
  })
  .meta({ description: 'An https: address without credentials; plain http: for loopback only.' });

/** Where a site is published. Paths are appended to it, also in Renovate's templates, where braces have a meaning. */
export const SiteUrl = UpstreamUrl.refine((text) => !/[?#{}]/.test(text), {
  error: 'expected an address without ?, #, { and }',
});

function isWithoutCredentials(text: string): boolean {
  // Half of a surrogate pair has no place in an address, nor in a file.
  if (!URL.canParse(text) || /[\p{Cc}\p{Cs}]/u.test(text)) return false;
  const url = new URL(text);
  return url.username === '' && url.password === '' && url.hostname !== '';
}

function isLoopback(text: string): boolean {
  const { hostname } = new URL(text);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
