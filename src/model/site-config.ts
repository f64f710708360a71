import { z } from 'zod';
import { HttpsUrl, SiteUrl } from './links.ts';
import { Line, lineOf } from './scalars.ts';

/** `site/site.json`: what the whole site is called and where it lives. */
export const SiteConfig = z.strictObject({
  $schema: z.string().optional(),
  title: lineOf(100),
  description: Line,
  /** The name of Renovate's custom datasource in the published preset: `custom.<datasource>`. */
  datasource: z.string().regex(/^[a-z0-9-]+$/, { error: 'expected lower-case letters, digits and hyphens' }),
  /** The address under which the site is published, without a slash at its end. */
  releasesUrl: SiteUrl.refine((url) => !url.endsWith('/'), { error: 'expected no slash at the end' }),
  /** Where people report a wrong entry; the User-Agent names it to upstreams. */
  repositoryUrl: HttpsUrl,
  /** After how many days without being checked a component counts as stale. */
  staleAfterDays: z.int().min(1).max(365),
  /** The public half of the key that signs `SHA256SUMS`, as `minisign -P` takes it. A site with a key is published signed or not at all. */
  signingPublicKey: z
    .string()
    .regex(/^RW[A-Za-z0-9+/]{54}$/, { error: 'expected the second line of a minisign .pub file' })
    .optional(),
  hosting: z
    .strictObject({
      /** What the account may hold: 20,000 files on the free plan, 100,000 on the paid one. */
      plan: z.enum(['free', 'paid']),
    })
    .optional(),
});
export type SiteConfig = z.infer<typeof SiteConfig>;
