import { z } from 'zod';
import type { Day } from '../dates.ts';
import type { Http } from '../http/client.ts';
import { describeProblems } from '../model/problems.ts';
import { SearchedComponent, SearchedLine, SearchedRelease } from '../model/published/search-file.ts';
import { DaySchema } from '../model/scalars.ts';
import type { Row } from '../query/fields.ts';
import { unfold, type FoldedComponent } from '../query/folded.ts';

// Lenient where a newer program may know more: other fields, and other words for a verdict, a policy or a state.
const status = z.string().optional();
const ReadRelease = z.object({ ...SearchedRelease.shape, status });
const ReadLine = z.object({ ...SearchedLine.shape, status, releases: z.array(ReadRelease) });
const ReadComponent = z.object({
  ...SearchedComponent.shape,
  policy: z.string(),
  lines: z.array(ReadLine),
});
const ReadSearch = z.object({
  components: z.record(z.string(), ReadComponent),
  // Thousands of parts are no index, and would be asked for one by one.
  parts: z
    .array(z.string().regex(/^search\/\d+\.json$/))
    .max(1000)
    .optional(),
});
const ReadStatus = z.object({
  asOf: DaySchema,
  components: z.record(z.string(), z.object({ state: z.string() })),
});

/** A host takes files up to 25 MiB, so that nothing larger is an index. */
const maxBytes = 64 * 2 ** 20;

export interface PublishedRows {
  /** The day that its verdicts are of. */
  asOf: Day;
  /** By component, then in version order; without what depends on the day asked for. */
  rows: Row[];
}

/** The releases of a published index as queries see them. Throws an `HttpError`, or an error whose message names the file. */
export async function readPublishedRows(http: Http, baseUrl: string): Promise<PublishedRows> {
  const read = async <T>(path: string, schema: z.ZodType<T>): Promise<T> => {
    const request = { url: `${baseUrl}/${path}`, accept: ['application/json'], maxBytes };
    const answer = await http.fetch(request);
    const document = answer.json();
    const parsed = schema.safeParse(document);
    if (parsed.success) return parsed.data;
    const [problem] = describeProblems(parsed.error, document, schema);
    throw new NotAnIndexError(`${path} is not that of a release index: ${problem}`);
  };
  const { asOf, components: states } = await read('status.json', ReadStatus);
  const { components, parts = [] } = await read('search.json', ReadSearch);
  const documents = [components];
  for (const path of parts) documents.push((await read(path, ReadSearch)).components);
  const rows = documents.flatMap((document) =>
    Object.entries(document).flatMap(([name, component]) => {
      const freshness = states[name]?.state;
      return unfold(name, component as FoldedComponent).map((row) =>
        freshness === undefined ? row : { ...row, freshness },
      );
    }),
  );
  return { asOf, rows };
}

/** What is served there is something else. */
export class NotAnIndexError extends Error {
  override readonly name = 'NotAnIndexError';
}
