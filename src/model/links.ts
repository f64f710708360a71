import { z } from 'zod';

/** An `https:` address without credentials. Only these are published. */
export const HttpsUrl = z
  .string()
  .regex(/^https:\/\/[^\s<>"'\\]+$/, { error: 'expected an https: address' })
  .max(2000)
  .refine((text) => isPlainUrl(text), { error: 'expected an https: address without credentials' })
  .meta({ description: 'An https: address without credentials.' });

/** Where upstream is asked: `https:`, or plain `http:` on loopback, and never with credentials. */
export const UpstreamUrl = z
  .string()
  .regex(/^https?:\/\/[^\s<>"'\\]+$/, { error: 'expected an https: address (plain http: for loopback only)' })
  .max(2000)
  .refine((text) => isPlainUrl(text) && (text.startsWith('https:') || isLoopback(text)), {
    error: 'expected an https: address without credentials (plain http: for loopback only)',
  })
  .meta({ description: 'An https: address without credentials; plain http: for loopback only.' });

/**
 * Where a site is published: paths are put behind it, also in templates of Renovate's, to which braces would mean something.
 */
export const SiteUrl = UpstreamUrl.refine((text) => !/[?#{}]/.test(text), {
  error: 'expected an address without ?, #, { and }',
});

export function isHttpsUrl(text: string): boolean {
  return HttpsUrl.safeParse(text).success;
}

function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text) || /\p{Cc}/u.test(text)) return false;
  const url = new URL(text);
  return url.username === '' && url.password === '' && url.hostname !== '';
}

function isLoopback(text: string): boolean {
  const { hostname } = new URL(text);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
