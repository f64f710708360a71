import { readInstant } from '../../core/query/values.ts';
import type { BodyField, Endpoint, Parameter } from './endpoint.ts';
import { ProblemError } from './respond.ts';

/** The values of a request by the names of its parameters and fields. */
export type Stated = Readonly<Record<string, string | undefined>>;

/** Validates the parameters of a request. Throws a `ProblemError` that names what was expected. */
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
      throw wrong(name, expected, `the parameter ${JSON.stringify(name.slice(0, 100))}`);
    }
    const isList = parameters.some((parameter) => parameter.name === name && parameter.isList);
    if (!isList && searchParams.getAll(name).length > 1)
      throw wrong(name, 'this parameter once', 'it repeatedly');
  }
  const stated: Record<string, string | undefined> = {};
  for (const parameter of parameters) {
    const { name, in: place, isRequired, isOfForm } = parameter;
    // An empty header says nothing.
    // A list may come in parts.
    const query = searchParams.has(name) ? searchParams.getAll(name).join(',') : null;
    const value = { path: segments[name], query, header: headers.get(name) || null }[place];
    stated[name] = value ?? undefined;
    // Of a path, a value of another form than that of names is the name of nothing, and not found.
    if (typeof value === 'string') validate(parameter, value, place !== 'path' || isOfForm === true);
    else if (isRequired) throw wrong(name, parameter.expected, 'nothing');
  }
  return stated;
}

/** The parsed value of a parameter; undefined where it is absent. Throws a `ProblemError` where it cannot be parsed. */
export function readStated<Value>(
  parameter: Parameter,
  stated: Stated,
  parse: (text: string) => Value | undefined,
): Value | undefined {
  const text = stated[parameter.name];
  if (text === undefined) return undefined;
  const value = parse(text);
  if (value === undefined) throw wrongValue(parameter, text);
  return value;
}

/** A time in milliseconds since 1970, or in ISO 8601, where a day means its start. */
export function parseTime(text: string): number | undefined {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return readInstant(text.toUpperCase())?.[0];
}

/** Throws a `ProblemError` for an unexpected value. `hasForm`: whether the pattern counts. */
export function validate(field: BodyField, value: string, hasForm = true): void {
  const { name, schema } = field;
  if (schema.type === 'integer') {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= schema.minimum && number <= schema.maximum)) throw wrongValue(field, value);
    return;
  }
  const { length } = [...value];
  if (length > schema.maxLength) {
    const limit = `at most ${schema.maxLength.toLocaleString('en-US')} characters`;
    throw wrong(name, limit, length.toLocaleString('en-US'), { position: schema.maxLength + 1 });
  }
  if (hasForm && schema.pattern !== undefined && !new RegExp(schema.pattern).test(value))
    throw wrongValue(field, value);
}

function wrongValue({ name, expected }: BodyField, value: string): ProblemError {
  return wrong(name, expected, JSON.stringify(value.slice(0, 100)));
}

export function wrong(
  name: string,
  expected: string,
  got: string,
  members: ProblemError['members'] = {},
): ProblemError {
  const parameter = name.slice(0, 100);
  const detail = `${parameter}: expected ${expected}; got ${got}`;
  return new ProblemError(400, detail, { parameter, expected, ...members });
}
