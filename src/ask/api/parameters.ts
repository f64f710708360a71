import { versionCharacters } from '../../core/version.ts';
import type { Parameter } from './endpoint.ts';

export const anInstant =
  'a time in ISO 8601, such as 2026-01-31 or 2026-01-31T10:30:00Z, or in milliseconds since 1970';

type Stated = Omit<Parameter, 'name' | 'in' | 'schema'> & { readonly pattern?: string };

/** A parameter with a text of at most so many characters. */
function text(place: Parameter['in'], name: string, maxLength: number, stated: Stated): Parameter {
  const { pattern, ...rest } = stated;
  const schema = { type: 'string' as const, maxLength, ...(pattern !== undefined && { pattern }) };
  return { name, in: place, ...rest, schema };
}

export const segment = (name: string, stated: Stated) => text('path', name, 200, stated);
export const inQuery = (name: string, maxLength: number, stated: Stated) =>
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
    description: `The first instant of recording, itself included: ${anInstant}; 0 for all, now for none that there is yet.`,
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
