import { componentName } from '../../../core/schemas/definition/component-name.ts';
import { lifetimes } from '../headers.ts';

/** An operation of OpenAPI. */
export interface Operation {
  readonly [field: string]: unknown;
  /** By their status. */
  readonly responses: Readonly<Record<number, Answer | undefined>>;
}

/** An answer of an operation, or a reference to a shared one. */
export interface Answer {
  readonly description?: string;
  readonly headers?: object;
  readonly content?: object | undefined;
}

export const credentialScheme = {
  type: 'http',
  scheme: 'bearer',
  description:
    'An access key of the index, a token made from one, or an access token of an issuer that it trusts.',
};

const text = { type: 'string' };

/** The parameters in the paths of files, by the names in braces. */
const fileParameters = {
  component: {
    description: 'Name of a component; index.json lists them.',
    schema: { ...text, pattern: componentName.source },
  },
  part: {
    description: 'Number of a part; all.json and search.json list theirs.',
    schema: { type: 'integer', minimum: 1 },
  },
  year: {
    description: 'A year with a change, or with a run.',
    schema: { type: 'integer', minimum: 2000 },
  },
};

const problem = {
  'application/problem+json': { schema: createReference('schemas', 'problem') },
};

/** The parts that operations refer to, by `createReference`. */
export const sharedParts = {
  parameters: Object.fromEntries(
    Object.entries(fileParameters).map(([name, parameter]) => [
      name,
      { name, in: 'path', required: true, ...parameter },
    ]),
  ),
  headers: {
    'Cache-Control': {
      description: 'An hour for every file.',
      schema: { ...text, enum: Object.values(lifetimes) },
    },
    'Access-Control-Allow-Origin': {
      description: 'Scripts of every origin may read.',
      schema: { ...text, const: '*' },
    },
    ETag: {
      description: 'Send it back as If-None-Match to learn whether the file changed.',
      schema: text,
    },
    // The header Cache-Control of answers that are not files.
    Freshness: {
      description: 'An hour, or no-store if the answer holds for this moment only.',
      schema: {
        ...text,
        enum: [...Object.values(lifetimes), 'no-store', 'no-store, no-transform'],
      },
    },
    Link: {
      description:
        'The next page (rel="next"), if there is one; the successor of a deprecated endpoint.',
      schema: text,
    },
  },
  responses: {
    NotModified: { description: 'The answer has not changed since the ETag in If-None-Match.' },
    NotFound: {
      description: 'There is no such file. The answer is not cached.',
      content: problem,
    },
    Failed: {
      description: 'The program failed, which is no outage: asking again does not help.',
      content: problem,
    },
  },
};

export function createHeaderRefs(names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, createReference('headers', name)]));
}

export function createReference(
  kind: 'headers' | 'parameters' | 'responses' | 'schemas',
  name: string,
): object {
  return { $ref: `#/components/${kind}/${name}` };
}
