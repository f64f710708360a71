import { statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { PublishedDocuments } from '../../ask/answers/answer-index.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import { namedSchemas } from '../../core/schemas/published/document-schemas.ts';
import { createLenient } from '../../core/schemas/published/lenient.ts';
import { StatusFile } from '../../core/schemas/published/status-file.ts';
import { readIfThere } from '../../io/files/file-system.ts';
import { describeFirstProblem, parseIfJson } from '../../io/files/read-documents.ts';
import type { Fetcher } from '../../io/http/client.ts';
import { answerIfAbsent, expectHttpError, HttpError } from '../../io/http/error.ts';
import { parseHttpDate } from '../../io/http/http-headers.ts';
import type { HttpRequest } from '../../io/http/request.ts';
import { digestsFile } from '../../site/digests.ts';
import { findMediaType } from '../../site/render/headers.ts';
import { publishedPaths } from '../../site/render/paths.ts';

/** The documents at an address. Reading one throws an `HttpError`. `publishedAt` is undefined where the host does not state it. */
export function openDocumentsAt(http: Fetcher, baseUrl: string): PublishedDocuments {
  return {
    async read(path) {
      const request = http.fetch(createRequest(baseUrl, path));
      const answer = await (isOptional(path)
        ? request.catch(answerIfAbsent(() => undefined))
        : request);
      return answer?.text();
    },
    publishedAt: async () =>
      (await readAvailableAt(http, baseUrl).catch(ignoreFailure)) ??
      readModified(http, baseUrl).catch(ignoreFailure),
  };
}

/** The documents in a folder. Reading one throws an error whose message names the file. */
export function openDocumentsIn(folder: string): PublishedDocuments {
  return {
    async read(path) {
      const text = readIfThere(join(folder, path))?.toString();
      if (text === undefined && !isOptional(path)) {
        throw new QuestionError('no-index', `there is no ${path}`);
      }

      return text;
    },
    publishedAt: async () => findPublishedAt(folder),
  };
}

/** Absent for a name that no component has, and statements also for an index without a key. All other files that are read exist. */
function isOptional(path: string): boolean {
  return /^(?:details|statements)\//.test(path);
}

function createRequest(baseUrl: string, path: string): HttpRequest {
  // GitHub Pages has no type for a file without an ending.
  const alsoAccept = path.includes('.') ? [] : ['application/octet-stream'];
  return {
    url: `${baseUrl}/${path}`,
    accept: [findMediaType(path)],
    alsoAccept,
  };
}

function ignoreFailure(error: unknown): undefined {
  expectHttpError(error);
}

const NewestRun = createLenient(StatusFile.pick({ runs: true }));

/** In milliseconds, with a year of four digits as in the journal, which records it. */
const Instant = z
  .int()
  .min(0)
  .max(Date.UTC(9999, 11, 31));
const Builds = z.array(z.object({ availableAt: Instant }));

/** The instant that the API states of the newest run; undefined where there is none. */
async function readAvailableAt(http: Fetcher, baseUrl: string): Promise<number | undefined> {
  const status = await http.fetch(createRequest(baseUrl, 'status.json'));
  const [newestRun] = NewestRun.safeParse(status.json()).data?.runs ?? [];
  if (!newestRun) {
    return undefined;
  }

  const url = `${baseUrl}/api/builds?since=${Date.parse(newestRun.at)}`;
  const builds = await http.fetch({ url });
  return Builds.safeParse(builds.json()).data?.at(-1)?.availableAt;
}

/** When a host of plain files got the site. */
async function readModified(http: Fetcher, baseUrl: string): Promise<number | undefined> {
  const { headers } = await http.fetch(createRequest(baseUrl, digestsFile));
  return Instant.safeParse(parseHttpDate(headers.get('last-modified'))).data;
}

/** When the list of digests of a site in a folder was written: in whole seconds, as servers of files state it. */
export function findPublishedAt(folder: string): number | undefined {
  const modifiedMs = statSync(join(folder, digestsFile), { throwIfNoEntry: false })?.mtimeMs;
  return modifiedMs === undefined ? undefined : Math.floor(modifiedMs / 1000) * 1000;
}

/** The same documents, each checked against its schema. Throws a `QuestionError`. */
export function checkDocuments(documents: PublishedDocuments): PublishedDocuments {
  return {
    ...documents,
    async read(path) {
      const text = await documents.read(path).catch((error: unknown) => {
        throw error instanceof HttpError
          ? new QuestionError('unreadable', error.message, {}, { cause: error })
          : error;
      });
      const schema = findSchema(path);
      if (schema && text !== undefined) {
        parsePublished(path, text, schema);
      }

      return text;
    },
  };
}

/** The schema of the document at a path; undefined for a document without a schema, and for an unknown path. */
function findSchema(path: string): z.ZodType | undefined {
  // `openapi.json` also has the form of `{component}.json`, so exact paths come first.
  const { schema } =
    publishedPaths.find((each) => each.path === path) ??
    publishedPaths.find((each) => hasForm(path, each.path)) ??
    {};
  return schema && createLenient(namedSchemas[schema].schema);
}

/** Whether a path has a form such as `details/{component}.json`. */
function hasForm(path: string, form: string): boolean {
  const pattern = form.replaceAll('.', String.raw`\.`).replace(/\{\w+\}/, '[a-z0-9-]+');
  return new RegExp(`^${pattern}$`).test(path);
}

/** Throws a `QuestionError` if the text does not match the schema for this path. */
export function parsePublished<T>(path: string, text: string, schema: z.ZodType<T>): T {
  const document = parseIfJson(text);
  const parsed = schema.safeParse(document);
  if (parsed.success) {
    return parsed.data;
  }

  const problem = describeFirstProblem(document, schema);
  throw new QuestionError('no-index', `${path} does not belong to a release index: ${problem}`);
}
