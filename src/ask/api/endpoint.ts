import type { Day } from '../../core/dates.ts';
import type { PublishedDocument } from '../../core/schemas/published/document-schemas.ts';

/** A request that the host answers although no file does. */
export interface Endpoint {
  /** Unique; generators of clients call their functions so. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** Each `{name}` stands for a segment. */
  readonly path: string;
  /** The segment that is left out, with its slash, where there is none of it. */
  readonly optionalSegment?: string;
  readonly summary: string;
  /** What one has to know to use it, in sentences. */
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** What a body may state: as an object of JSON, or as the fields of a form. */
  readonly body?: readonly BodyField[];
  readonly answers: Readonly<Record<number, Answer>>;
  /** Path and query of a request that anyone may try, where there is any; `{component}` and `{version}` stand for real ones. */
  readonly example?: string;
  readonly deprecation?: Deprecation;
}

/** What a request may state. */
export interface BodyField {
  readonly name: string;
  readonly description: string;
  /** What it may be, in words behind "expected". */
  readonly expected: string;
  readonly schema: ParameterSchema;
  readonly example?: string;
}

export interface Parameter extends BodyField {
  readonly in: 'path' | 'query' | 'header';
  readonly isRequired?: true;
  /** Of a path: what is not of its form is refused, where it otherwise is the name of nothing, and not found. */
  readonly isOfForm?: true;
}

/** The part of JSON Schema that parameters need. */
export type ParameterSchema =
  | {
      readonly type: 'string';
      readonly maxLength: number;
      readonly pattern?: string;
    }
  | {
      readonly type: 'integer';
      readonly minimum: number;
      readonly maximum: number;
      readonly default?: number;
    };

export interface Answer {
  readonly description: string;
  /** Absent where the answer has no body. */
  readonly mediaType?: 'application/json' | 'application/problem+json' | 'text/event-stream';
  readonly schema?: PublishedDocument;
  /** The elements of the array come a line each, too, where `Accept` asks for that. */
  readonly isInLines?: true;
}

/** That an endpoint goes away (RFC 9745, RFC 8594). */
export interface Deprecation {
  readonly since: Day;
  /** The day from which on it may be gone: at least six months later. */
  readonly sunset: Day;
  /** The path of what to use instead. */
  readonly successor: string;
}

/** The paths that lead to it: with its optional segment, and without. */
export function pathsOf({ path, optionalSegment }: Endpoint): string[] {
  return optionalSegment === undefined ? [path] : [path, path.replace(`/{${optionalSegment}}`, '')];
}

/** The names of what stands in a path for something. */
export function segmentsOf(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name!);
}
