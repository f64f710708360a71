import type { Day } from '../dates.ts';
import type { PublishedDocument } from '../model/published/document-schemas.ts';

/** A request that the host answers although no file does. */
export interface Endpoint {
  /** Unique; generators of clients call their functions so. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** Each `{name}` stands for a segment. */
  readonly path: string;
  readonly summary: string;
  /** What one has to know to use it, in sentences. */
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly answers: Readonly<Record<number, Answer>>;
  /** Path and query of a request that anyone may try; `{component}` and `{version}` stand for real ones. */
  readonly example: string;
  readonly deprecation?: Deprecation;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly isRequired?: true;
  readonly description: string;
  /** What it may be, in words behind "expected". */
  readonly expected: string;
  readonly schema: ParameterSchema;
  readonly example?: string;
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
}

/** That an endpoint goes away (RFC 9745, RFC 8594). */
export interface Deprecation {
  readonly since: Day;
  /** The day from which on it may be gone: at least six months later. */
  readonly sunset: Day;
  /** The path of what to use instead. */
  readonly successor: string;
}

/** The names of what stands in a path for something. */
export function segmentsOf(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name!);
}
