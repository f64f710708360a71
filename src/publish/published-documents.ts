import { z } from 'zod';
import type { PublishedDocuments } from '../answers/published-index.ts';
import type { Http } from '../http/client.ts';
import { describeProblems } from '../model/problems.ts';
import { SearchedComponent, SearchedLine, SearchedRelease } from '../model/published/search-file.ts';
import { DaySchema } from '../model/scalars.ts';

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

/** What must hold of a document before it is believed. */
const schemas: readonly (readonly [path: RegExp, schema: z.ZodType])[] = [
  [/^status\.json$/, ReadStatus],
  [/^search(\/\d+)?\.json$/, ReadSearch],
];

/** A host takes files up to 25 MiB, so that nothing larger is an index. */
const maxBytes = 64 * 2 ** 20;

/** The documents at an address. Reading throws an `HttpError`, or an error whose message names the file. */
export function documentsAt(http: Http, baseUrl: string): PublishedDocuments {
  return {
    async read(path) {
      const isJson = path.endsWith('.json');
      const accept = [isJson ? 'application/json' : 'text/plain'];
      const answer = await http.fetch({ url: `${baseUrl}/${path}`, accept, maxBytes });
      const schema = schemas.find(([pattern]) => pattern.test(path))?.[1];
      if (!schema) return answer.text();
      const document = answer.json();
      const parsed = schema.safeParse(document);
      if (parsed.success) return answer.text();
      const [problem] = describeProblems(parsed.error, document, schema);
      throw new NotAnIndexError(`${path} is not that of a release index: ${problem}`);
    },
  };
}

/** What is served there is something else. */
export class NotAnIndexError extends Error {
  override readonly name = 'NotAnIndexError';
}
