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

/** `all.json`, or a part of it. */
const IndexDocument = z.object({
  components: z.record(z.string(), PublishedComponent),
  parts: z.array(z.string()).optional(),
});

export interface PublishedIndex {
  components: Record<string, PublishedComponent>;
}

/** The components of a site, from `all.json` and the parts that it may list. Throws where one is something else. */
export async function readPublishedIndex(
  read: <T>(path: string, schema: z.ZodType<T>) => T | Promise<T>,
): Promise<PublishedIndex> {
  const { components, parts = [] } = await read('all.json', IndexDocument);
  for (const path of parts) Object.assign(components, (await read(path, IndexDocument)).components);
  return { components };
}
