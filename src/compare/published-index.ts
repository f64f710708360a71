import { z } from 'zod';

/** What a comparison reads of `<component>.json`. Lenient: a live site may be of an older or a newer program. */
export const PublishedComponent = z.object({
  tags: z.object({ latest: z.string().optional() }).optional(),
  releases: z.array(
    z.object({
      version: z.string(),
      releaseTimestamp: z.string().optional(),
      changelogUrl: z.string().optional(),
      isDeprecated: z.boolean().optional(),
    }),
  ),
});
export type PublishedComponent = z.infer<typeof PublishedComponent>;

/** `all.json` */
export const PublishedIndex = z.object({ components: z.record(z.string(), PublishedComponent) });
export type PublishedIndex = z.infer<typeof PublishedIndex>;
