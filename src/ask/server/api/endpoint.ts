import type { z } from 'zod';
import type { Day } from '../../../core/model/dates.ts';
import type { SchemaName } from '../../../core/schemas/published/document-schemas.ts';
import type { PublishedIndex } from '../../answers/published-index.ts';
import type { Grant } from '../access/guard.ts';

/** A request that the Worker answers. */
export interface Endpoint {
  /** Unique; client generators name their functions after it. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** Each `{name}` is a segment. */
  readonly path: string;
  readonly summary: string;
  /** Sentences for its users. */
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** Fields that a body may have, as a JSON object or a form. */
  readonly body?: readonly BodyField[];
  readonly answers: Readonly<Record<number, DescribedResponse>>;
  /** Path and query of an example request; the documentation fills in `{component}` and `{version}`. */
  readonly example?: string | undefined;
  readonly deprecation?: AnnouncedEnd;
  /** Throws a `QuestionError` for a request that cannot be answered. */
  handle(call: ApiCall): Promise<Response> | Response;
}

/** The announced end of an endpoint (RFC 9745, RFC 8594). */
export interface AnnouncedEnd {
  readonly since: Day;
  /** The first day on which it may be gone, at least six months after `since`. */
  readonly sunset: Day;
  /** The path to use instead. */
  readonly successor: string;
}

/** Values by the name of their parameter or field. */
export type ParameterValues = Readonly<Record<string, string | undefined>>;

export interface ApiCall<Values = ParameterValues> {
  readonly request: Request;
  readonly parameters: Values;
  /** The fields of the body. */
  readonly body: ParameterValues;
  readonly index: PublishedIndex;
  readonly settings: ApiSettings;
  /** Only for the endpoint that makes tokens. */
  readonly grant?: Grant | undefined;
}

export interface ApiSettings {
  /** The address of the site, without a slash at its end. */
  readonly baseUrl: string;
  /** Delay before the client of a stream reconnects. */
  readonly retryMs: number;
  /** Interval of the comments that keep a stream open. */
  readonly heartbeatMs: number;
  /** Maximum duration of a stream: its client then reconnects and gets the newest data. */
  readonly lifetimeMs: number;
}

export interface BodyField {
  readonly name: string;
  readonly description: string;
  /** The valid values, as words after "expected". */
  readonly expected: string;
  readonly schema: ParameterSchema;
  readonly example?: string;
}

export interface Parameter extends BodyField {
  readonly in: 'path' | 'query' | 'header';
  readonly isRequired?: true;
  /** A segment that may be left out with its slash. */
  readonly isOptional?: true;
  /** The problem document of a question without an answer names this parameter. */
  readonly isQuestion?: true;
  /** Several values, separated by commas or in repeated parameters. */
  readonly isList?: true;
  /** A value that does not match the pattern is an unknown name: the endpoint answers 404, not 400. */
  readonly isName?: true;
}

/** The part of JSON Schema that parameters need. */
type ParameterSchema =
  | { readonly type: 'string'; readonly maxLength: number; readonly pattern?: string | undefined }
  | {
      readonly type: 'integer';
      readonly minimum: number;
      readonly maximum: number;
      readonly default?: number;
    };

export interface DescribedResponse {
  readonly description: string;
  /** Absent for an answer without a body. */
  readonly mediaType?:
    'application/json' | 'application/problem+json' | 'text/event-stream' | 'text/plain';
  /** Of JSON: the name of a published schema, or a schema that only this answer has. */
  readonly schema?: SchemaName | z.ZodType;
  /** Also available as NDJSON, if `Accept` asks for it. */
  readonly isInLines?: true;
}

/** An endpoint before `defineEndpoint` adds the method `GET` and the answer 400. */
interface EndpointDraft<Accepted extends Parameter> extends Omit<
  Endpoint,
  'method' | 'parameters' | 'handle'
> {
  readonly method?: Endpoint['method'];
  readonly parameters: readonly Accepted[];
  handle(call: ApiCall<CallValues<Accepted>>): ReturnType<Endpoint['handle']>;
}

/** Segments and required parameters always have a value, except for optional segments. */
type CallValues<Accepted extends Parameter> = {
  readonly [Each in Accepted as Each['name']]: Each extends
    { in: 'path'; isOptional?: never } | { isRequired: true }
    ? string
    : string | undefined;
};

export function defineEndpoint<const Accepted extends Parameter>({
  method = 'GET',
  answers,
  ...endpoint
}: EndpointDraft<Accepted>): Endpoint {
  const invalid = describeProblemAnswer(
    'A parameter is unknown, repeated or invalid. The answer names the expected value.',
  );
  return { ...endpoint, method, answers: { 400: invalid, ...answers } };
}

export function describeJsonAnswer(
  schema: SchemaName | z.ZodType,
  description: string,
): DescribedResponse {
  return { description, mediaType: 'application/json', schema };
}

/** An error in the form of RFC 9457. */
export function describeProblemAnswer(description: string): DescribedResponse {
  return { description, mediaType: 'application/problem+json', schema: 'problem' };
}

/** The paths of an endpoint, with and without its optional segment. */
export function listEndpointPaths({ path, parameters }: Endpoint): string[] {
  const optional = parameters.find(({ isOptional }) => isOptional);
  return optional ? [path, path.replace(`/{${optional.name}}`, '')] : [path];
}

/** The names of the segments in braces. */
export function listSegmentNames(path: string): string[] {
  return Array.from(path.matchAll(/\{\w+\}/g), ([segment]) => segment.slice(1, -1));
}

export function createParameter<
  Location extends Parameter['in'],
  Name extends string,
  const Facts extends Omit<Parameter, 'name' | 'in' | 'schema'> & { readonly pattern?: string },
>(location: Location, name: Name, maxLength: number, { pattern, ...facts }: Facts) {
  return { name, in: location, ...facts, schema: { type: 'string', maxLength, pattern } } as const;
}
