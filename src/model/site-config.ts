import { z } from 'zod';
import { Accent } from './accent.ts';
import { HttpsUrl, SiteUrl } from './links.ts';
import { Line, lineOf } from './scalars.ts';

const Footer = z
  .strictObject({
    text: Line.optional().meta({
      description: 'A sentence at the foot of each page.',
      examples: ['Kept by the build team; ask in #builds.'],
    }),
    links: z
      .array(z.strictObject({ text: lineOf(60), url: HttpsUrl }))
      .min(1)
      .max(10)
      .optional()
      .meta({
        description: 'Links at the foot of each page, at most ten.',
        examples: [[{ text: 'Imprint', url: 'https://example.com/imprint' }]],
      }),
  })
  .meta({ description: 'What an index of its own adds to the foot of each page.' });

/** `site/site.json`: what the whole site is called and where it lives. */
export const SiteConfig = z.strictObject({
  $schema: z
    .string()
    .optional()
    .meta({ description: 'Where editors find this schema.', examples: ['../dist/schema/site.json'] }),
  title: lineOf(100).meta({
    description: 'What the site is called: in its header, its titles, feeds and calendars.',
    examples: ['Release index'],
  }),
  description: Line.meta({
    description: 'What the site is, in a sentence or two, for its first page and for search engines.',
    examples: ['Every release of every component: what is supported, and until when.'],
  }),
  datasource: z
    .string()
    .regex(/^[a-z0-9-]+$/, { error: 'expected lower-case letters, digits and hyphens' })
    .meta({
      description: "The name of Renovate's custom datasource in the published preset: custom.<datasource>.",
      examples: ['release-index'],
    }),
  releasesUrl: SiteUrl.refine((url) => !url.endsWith('/'), { error: 'expected no slash at the end' }).meta({
    description: 'The address under which the site is published, without a slash at its end.',
    examples: ['https://releases.example.com'],
  }),
  repositoryUrl: HttpsUrl.meta({
    description: 'Where people report a wrong entry; the User-Agent names it to upstreams.',
    examples: ['https://github.com/example/release-index'],
  }),
  staleAfterDays: z
    .int()
    .min(1)
    .max(365)
    .meta({
      description: 'After how many days without being checked a component counts as stale.',
      examples: [3],
    }),
  logo: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]*\.(?:svg|png)$/, {
      error: 'expected the name of an .svg or .png file in site/assets',
    })
    .optional()
    .meta({
      description: 'A file in site/assets, shown beside the name of the site; 24 pixels high.',
      examples: ['logo.svg'],
    }),
  accent: Accent.optional(),
  footer: Footer.optional(),
  signingPublicKey: z
    .string()
    .regex(/^RW[A-Za-z0-9+/]{54}$/, { error: 'expected the second line of a minisign .pub file' })
    .optional()
    .meta({
      description:
        'The public half of the key that signs SHA256SUMS, as minisign -P takes it. A site with a key is published signed or not at all.',
      examples: ['RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3'],
    }),
  hosting: z
    .strictObject({
      plan: z.enum(['free', 'paid']).meta({
        description: 'What the account may hold: 20,000 files on the free plan, 100,000 on the paid one.',
        examples: ['free'],
      }),
    })
    .optional()
    .meta({ description: 'The account at the host.' }),
});
export type SiteConfig = z.infer<typeof SiteConfig>;
