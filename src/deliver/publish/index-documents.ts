import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { PublishedDocuments } from '../../ask/published-index.ts';
import type { Http } from '../../io/http/client.ts';
import { HttpError } from '../../io/http/error.ts';
import { describeProblems } from '../../core/schemas/problems.ts';
import { PublishedChange } from '../../core/schemas/published/changes-file.ts';
import { DetailedRelease, DetailsFile, PublishedLine } from '../../core/schemas/published/details-file.ts';
import { PackageOwner } from '../../core/schemas/published/packages-file.ts';
import { PublishedNamedPolicy } from '../../core/schemas/published/policies-file.ts';
import {
  SearchedComponent,
  SearchedLine,
  SearchedRelease,
} from '../../core/schemas/published/search-file.ts';
import { ComponentStatus } from '../../core/schemas/published/status-file.ts';
import { DaySchema } from '../../core/schemas/scalars.ts';

// Lenient where a newer program may know more: other fields, and other words for a verdict, a policy or a state.
const status = z.string().optional();
const ReadRelease = z.object({ ...SearchedRelease.shape, status });
const ReadLine = z.object({ ...SearchedLine.shape, status, releases: z.array(ReadRelease) });
const ReadComponent = z.object({
  ...SearchedComponent.shape,
  policy: z.string(),
  coming: z.array(z.object({ on: DaySchema, event: z.string() })).optional(),
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
  components: z.record(
    z.string(),
    z.object({
      state: z.string(),
      releases: ComponentStatus.shape.releases,
      latest: ComponentStatus.shape.latest,
    }),
  ),
});
const ReadReason = z.object({ rule: z.string(), text: z.string(), from: DaySchema.optional() });
const reasons = z.array(ReadReason).optional();
const ReadDetails = z.object({
  component: DetailsFile.shape.component,
  title: DetailsFile.shape.title,
  changelogUrl: DetailsFile.shape.changelogUrl,
  support: z.object({ line: DetailsFile.shape.support.shape.line }),
  replacedBy: DetailsFile.shape.replacedBy,
  latest: DetailsFile.shape.latest,
  lines: z.array(z.object(PublishedLine.shape)),
  releases: z.array(
    z.object({
      ...DetailedRelease.shape,
      status: z.string(),
      timestampKind: z.string().optional(),
      reasons,
      upcoming: reasons,
      corrections: z.unknown().optional(),
    }),
  ),
});
const ReadChanges = z.object({
  changes: z.array(
    z.object({ on: DaySchema, component: PublishedChange.shape.component, text: PublishedChange.shape.text }),
  ),
});
const ReadPackages = z.object({
  packages: z.record(z.string(), z.array(z.object(PackageOwner.shape))),
});
const ReadPolicies = z.object({ policies: z.array(z.object(PublishedNamedPolicy.shape)) });

/** What must hold of a document before it is believed. */
const schemas: readonly (readonly [path: RegExp, schema: z.ZodType])[] = [
  [/^status\.json$/, ReadStatus],
  [/^search(\/\d+)?\.json$/, ReadSearch],
  [/^details\/[^/]+\.json$/, ReadDetails],
  [/^changes\/\d+\.json$/, ReadChanges],
  [/^packages\.json$/, ReadPackages],
  [/^policies\.json$/, ReadPolicies],
];

/** A host takes files up to 25 MiB, so that nothing larger is an index. */
const maxBytes = 64 * 2 ** 20;

/** The documents at an address. Reading throws an `HttpError`, or an error whose message names the file. */
export function documentsAt(http: Http, baseUrl: string): PublishedDocuments {
  return {
    async read(path) {
      const accept = [path.endsWith('.json') ? 'application/json' : 'text/plain'];
      try {
        const answer = await http.fetch({ url: `${baseUrl}/${path}`, accept, maxBytes });
        check(path, () => answer.json());
        return answer.text();
      } catch (error) {
        if (error instanceof HttpError && error.kind === 'absent' && isOfComponent(path)) return undefined;
        throw error;
      }
    },
  };
}

/** The documents in a folder. Reading throws an error whose message names the file. */
export function documentsIn(folder: string): PublishedDocuments {
  return {
    async read(path) {
      const file = join(folder, path);
      if (!existsSync(file)) {
        if (isOfComponent(path)) return undefined;
        throw new NotAnIndexError(`there is no ${path}.`);
      }
      const text = readFileSync(file, 'utf8');
      check(path, () => parseOrRefuse(path, text));
      return text;
    },
  };
}

/** There may be none of it; the other files belong to every index. */
function isOfComponent(path: string): boolean {
  return /^(?:details|attestations)\//.test(path);
}

/** Throws a `NotAnIndexError` where a document is not what an index has under this path. */
function check(path: string, parse: () => unknown): void {
  const schema = schemas.find(([pattern]) => pattern.test(path))?.[1];
  if (!schema) return;
  const document = parse();
  const { error } = schema.safeParse(document);
  if (!error) return;
  const [problem] = describeProblems(error, document, schema);
  throw new NotAnIndexError(`${path} is not that of a release index: ${problem}`);
}

function parseOrRefuse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NotAnIndexError(`${path} is not that of a release index: ${(error as Error).message}`);
  }
}

/** What is there is something else. */
export class NotAnIndexError extends Error {
  override readonly name = 'NotAnIndexError';
}
