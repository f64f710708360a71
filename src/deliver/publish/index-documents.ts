import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import type { PublishedDocuments } from '../../ask/published-index.ts';
import type { Http } from '../../io/http/client.ts';
import { HttpError } from '../../io/http/error.ts';
import { describeProblems } from '../../core/schemas/problems.ts';
import { lenient } from '../../core/schemas/lenient.ts';
import { ChangesYearFile } from '../../core/schemas/published/changes-file.ts';
import { DetailsFile } from '../../core/schemas/published/details-file.ts';
import { PackagesFile } from '../../core/schemas/published/packages-file.ts';
import { PoliciesFile } from '../../core/schemas/published/policies-file.ts';
import { SearchFile } from '../../core/schemas/published/search-file.ts';
import { StatusFile } from '../../core/schemas/published/status-file.ts';

// Each part is one more request.
const SearchFileOfFewParts = lenient(SearchFile).refine(({ parts = [] }) => parts.length <= 1000, {
  path: ['parts'],
  error: 'expected at most 1000 parts',
});

/** What a document has to satisfy before it is used. A newer program may have made it. */
const schemas: readonly (readonly [path: RegExp, schema: z.ZodType])[] = [
  [/^status\.json$/, lenient(StatusFile)],
  [/^search(\/\d+)?\.json$/, SearchFileOfFewParts],
  [/^details\/[^/]+\.json$/, lenient(DetailsFile)],
  [/^changes\/\d+\.json$/, lenient(ChangesYearFile)],
  [/^packages\.json$/, lenient(PackagesFile)],
  [/^policies\.json$/, lenient(PoliciesFile)],
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
  const [problem] = describeProblems(document, schema);
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
