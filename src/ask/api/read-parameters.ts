import type { BodyField, Endpoint, Parameter } from './endpoint.ts';
import { ProblemError } from './respond.ts';
import { readInstant } from '../../core/query/values.ts';

/** What a request states of the parameters that there are. */
export type Stated = Readonly<Record<string, string | undefined>>;

/** Checks what a request states against the table. Throws a `ProblemError` that names what was expected. */
export function readParameters(
  { parameters }: Endpoint,
  segments: Stated,
  { searchParams }: URL,
  headers: Headers,
): Stated {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  for (const name of new Set(searchParams.keys())) {
    if (!inQuery.includes(name)) {
      const expected = inQuery.length === 0 ? 'no parameters' : `only ${inQuery.join(', ')}`;
      throw refuse(name, expected, `the parameter ${JSON.stringify(name.slice(0, 100))}`);
    }
    if (searchParams.getAll(name).length > 1) throw refuse(name, 'this parameter once', 'it repeatedly');
  }
  const stated = parameters.map((parameter): [string, string | undefined] => {
    const value = valueOf(parameter, segments, searchParams, headers);
    // In a path, what does not look like a name is the name of nothing, and not found.
    const isName = parameter.in === 'path' && !parameter.isOfForm;
    if (value !== undefined) check(parameter, value, isName);
    else if (parameter.isRequired) throw refuse(parameter.name, parameter.expected, 'nothing');
    return [parameter.name, value];
  });
  return Object.fromEntries(stated);
}

/** The value that was read from what is stated; undefined where nothing is. Throws a `ProblemError` where it cannot be read. */
export function readStated<Value>(
  parameter: Parameter,
  stated: Stated,
  read: (text: string) => Value | undefined,
): Value | undefined {
  const text = stated[parameter.name];
  if (text === undefined) return undefined;
  const value = read(text);
  if (value === undefined) throw refuseValue(parameter, text);
  return value;
}

function refuseValue({ name, expected }: Pick<Parameter, 'name' | 'expected'>, value: string): ProblemError {
  return refuse(name, expected, JSON.stringify(value.slice(0, 100)));
}

function valueOf(
  { name, in: place }: Parameter,
  segments: Stated,
  query: URLSearchParams,
  headers: Headers,
): string | undefined {
  if (place === 'path') return segments[name];
  // An empty header says nothing.
  return (place === 'query' ? query.get(name) : headers.get(name) || null) ?? undefined;
}

/** Throws a `ProblemError` of what is not as expected. `isName`: it may be of any form. */
export function check(parameter: BodyField, value: string, isName = false): void {
  const { name, schema } = parameter;
  if (schema.type === 'integer') {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= schema.minimum && number <= schema.maximum)) throw refuseValue(parameter, value);
    return;
  }
  if ([...value].length > schema.maxLength) {
    const limit = `at most ${schema.maxLength.toLocaleString('en-US')} characters`;
    throw refuse(name, limit, `${[...value].length.toLocaleString('en-US')}`, {
      position: schema.maxLength + 1,
    });
  }
  const isRight = isName || schema.pattern === undefined || new RegExp(schema.pattern).test(value);
  if (!isRight) throw refuseValue(parameter, value);
}

export function refuse(
  name: string,
  expected: string,
  got: string,
  members: ProblemError['members'] = {},
): ProblemError {
  const detail = `${name.slice(0, 100)}: expected ${expected}; got ${got}`;
  return new ProblemError(400, detail, { parameter: name.slice(0, 100), expected, ...members });
}

/** A time in milliseconds since 1970, or in ISO 8601; a day means its start. Undefined for anything else. */
export function readMoment(text: string): number | undefined {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return readInstant(text.toUpperCase())?.[0];
}
