import { z } from 'zod';
import { maxLengths } from './forms.ts';
import {
  httpsForm,
  isPlaceForPaths,
  isSafeUpstream,
  isWithoutCredentials,
  upstreamForm,
} from './safe-url.ts';

/** An `https:` address without credentials. Only these are published. */
export const HttpsUrl = z
  .string()
  .regex(httpsForm, { error: 'expected an https: address' })
  .max(maxLengths.url)
  .refine((text) => isWithoutCredentials(text), { error: 'expected an https: address without credentials' })
  .meta({ description: 'An https: address without credentials.' });

/** Where upstream is asked: `https:`, or plain `http:` on loopback, and never with credentials. */
export const UpstreamUrl = z
  .string()
  .regex(upstreamForm, { error: 'expected an https: address (plain http: for loopback only)' })
  .max(maxLengths.url)
  .refine((text) => isSafeUpstream(text), {
    error: 'expected an https: address without credentials (plain http: for loopback only)',
  })
  .meta({ description: 'An https: address without credentials; plain http: for loopback only.' });

/**
 * Where a site is published: paths are put behind it, also in templates of Renovate's, to which braces would mean something.
 */
export const SiteUrl = UpstreamUrl.refine((text) => isPlaceForPaths(text), {
  error: 'expected an address without ?, #, { and }',
});
