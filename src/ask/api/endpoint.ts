import type { z } from 'zod';
import type { Day } from '../../core/dates.ts';
import type { PublishedDocument } from '../../core/schemas/published/document-schemas.ts';
import type { PublishedIndex } from '../published-index.ts';
import type { Stated } from './read-request.ts';
import { versionCharacters } from '../../core/version.ts';

/** A request that the host answers although no file does. */
export interface Endpoint {
  /** Unique; client generators name their functions after it. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** Each `{name}` stands for a segment. */
  readonly path: string;
  /** The segment that may be left out together with its slash. */
  readonly optionalSegment?: string;
  readonly summary: string;
  /** Instructions for its users, in sentences. */
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** Fields that a body may have, as a JSON object or a form. */
  readonly body?: readonly BodyField[];
  /** The body is a document, or a form with it and the fields; the handler reads it. */
  readonly isDocument?: true;
  readonly answers: Readonly<Record<number, Answer>>;
  /** Path and query of a request to try, if there is any; `{component}` and `{version}` stand for real ones. */
  readonly example?: string;
  readonly deprecation?: Deprecation;
  /** Throws a `ProblemError` for a request that cannot be answered. */
  handle(question: Question): Promise<Response> | Response;
}

export interface Question {
  readonly request: Request;
  readonly stated: Stated;
  readonly index: PublishedIndex;
  readonly settings: ApiSettings;
}

export interface ApiSettings {
  /** Where the site is published, without a slash at its end. */
  readonly baseUrl: string;
  /** Reconnection delay of clients of a stream. */
  readonly retryMs: number;
  /** Time between two comments that keep a stream open. */
  readonly heartbeatMs: number;
  /** The end of a stream, so that its client reads the newest files when it comes back. */
  readonly lifetimeMs: number;
}

export interface BodyField {
  readonly name: string;
  readonly description: string;
  /** The valid values, in words behind "expected". */
  readonly expected: string;
  readonly schema: ParameterSchema;
  readonly example?: string;
}

export interface Parameter extends BodyField {
  readonly in: 'path' | 'query' | 'header';
  readonly isRequired?: true;
  /** Several values, with commas between them or given repeatedly. */
  readonly isList?: true;
  /** Of a path: a value of another form is rejected; otherwise it is only not found. */
  readonly isOfForm?: true;
}

/** The part of JSON Schema that parameters need. */
export type ParameterSchema =
  | { readonly type: 'string'; readonly maxLength: number; readonly pattern?: string }
  | {
      readonly type: 'integer';
      readonly minimum: number;
      readonly maximum: number;
      readonly default?: number;
    };

export interface Answer {
  readonly description: string;
  /** Absent where the answer has no body. */
  readonly mediaType?:
    | 'application/atom+xml'
    | 'application/json'
    | 'application/problem+json'
    | 'image/svg+xml'
    | 'text/calendar'
    | 'text/event-stream'
    | 'text/plain';
  /** A published schema by name, or one that only this answer has. */
  readonly schema?: PublishedDocument | z.ZodType;
  /** Also as NDJSON, an element a line, where `Accept` asks for that. */
  readonly isInLines?: true;
}

/** An endpoint as it is written down: `GET` where no method is stated, and without the answer 400 that each has. */
export type StatedEndpoint = Omit<Endpoint, 'method'> & Partial<Pick<Endpoint, 'method'>>;

export function completeEndpoint({ method = 'GET', answers, ...endpoint }: StatedEndpoint): Endpoint {
  const wrong = 'A parameter is unknown, repeated or not what was expected, which the answer names.';
  return { ...endpoint, method, answers: { 400: problemAnswer(wrong), ...answers } };
}

export const jsonAnswer = (schema: NonNullable<Answer['schema']>, description: string): Answer => ({
  description,
  mediaType: 'application/json',
  schema,
});

/** An error in the form of RFC 9457. */
export const problemAnswer = (description: string): Answer => ({
  description,
  mediaType: 'application/problem+json',
  schema: 'problem',
});

export const nothingNew: Answer = {
  description: 'Nothing is new since the Last-Event-ID. There is no body.',
};

/** An announced end (RFC 9745, RFC 8594). */
export interface Deprecation {
  readonly since: Day;
  /** The first day on which it may be gone: at least six months later. */
  readonly sunset: Day;
  /** The path to use instead. */
  readonly successor: string;
}

/** The paths of an endpoint: with its optional segment, and without. */
export function pathsOf({ path, optionalSegment }: Endpoint): string[] {
  return optionalSegment === undefined ? [path] : [path, path.replace(`/{${optionalSegment}}`, '')];
}

/** The names of the segments in braces. */
export function segmentsOf(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name!);
}

export const anInstant =
  'a time in ISO 8601, such as 2026-01-31 or 2026-01-31T10:30:00Z, or in milliseconds since 1970';

type StatedParameter = Omit<Parameter, 'name' | 'in' | 'schema'> & { readonly pattern?: string };

/** A parameter with a text of at most so many characters. */
function text(place: Parameter['in'], name: string, maxLength: number, stated: StatedParameter): Parameter {
  const { pattern, ...rest } = stated;
  const schema = { type: 'string' as const, maxLength, ...(pattern !== undefined && { pattern }) };
  return { name, in: place, ...rest, schema };
}

export const segment = (name: string, stated: StatedParameter) => text('path', name, 200, stated);
export const inQuery = (name: string, maxLength: number, stated: StatedParameter) =>
  text('query', name, maxLength, stated);

export function pageSize(name: string, nouns: string): Parameter {
  return {
    name,
    in: 'query',
    description: `How many ${nouns} a page has.`,
    expected: 'a whole number from 1 to 1,000',
    schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
  };
}

/** Those of several endpoints. */
export const parameters = {
  component: segment('component', {
    description: 'Name, title, package or package URL of a component; /api/components lists them.',
    expected: 'the name of a component',
    example: '{component}',
  }),
  version: segment('version', {
    description: 'A version, a release line, or the first numbers of several, such as 2025.',
    expected: 'a version such as 2025.3, without white space and control characters',
    pattern: versionCharacters,
    isOfForm: true,
    example: '{version}',
  }),
  date: text('path', 'date', 40, {
    description: `Everything that was first published at this instant or later, and perhaps a little from before: ${anInstant}; 0 for all, now for none that there is yet.`,
    expected: `0, now, or ${anInstant}; not in the future`,
    example: '2026-01-31',
  }),
  stream: inQuery('stream', 100, {
    description: 'Keeps the connection open for what changes later: any value but false, or none.',
    expected: 'at most 100 characters',
  }),
  lastEventId: text('header', 'Last-Event-ID', 1000, {
    description: 'The id of the last message that arrived: an EventSource sends it when it comes back.',
    expected: 'the id of a message',
  }),
} as const satisfies Readonly<Record<string, Parameter>>;
