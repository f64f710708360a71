import type { QuestionError, QuestionErrorParts } from '../../../core/query/question-error.ts';
import { readInstant } from '../../../core/query/times.ts';
import { quote } from '../../../core/text/foreign-text.ts';
import { formatCount, formatNumber } from '../../../core/text/wording.ts';
import type { BodyField, Endpoint, Parameter, ParameterValues } from './endpoint.ts';
import { rejectRequest } from './respond.ts';

/** Reads and validates the parameters of a request. Throws a `QuestionError` that names the expected value. */
export function readParameters(
  { parameters }: Endpoint,
  segments: ParameterValues,
  { url, headers }: Request,
): ParameterValues {
  const { searchParams } = new URL(url);
  checkNames(parameters, searchParams);

  function readText({ name, in: location }: Parameter): string | undefined {
    switch (location) {
      case 'path':
        return segments[name];
      case 'header':
        // An empty header is ignored.
        return headers.get(name) || undefined;
      case 'query':
        // A list may be repeated.
        return searchParams.has(name) ? searchParams.getAll(name).join(',') : undefined;
    }
  }

  const values: Record<string, string | undefined> = {};
  for (const parameter of parameters) {
    const { name, in: location, isRequired, isOfForm, expected } = parameter;
    const value = readText(parameter);
    values[name] = value;

    // An invalid name in the path is not an error here: the endpoint answers 404.
    if (value !== undefined) {
      checkSize(parameter, value);
      if (location !== 'path' || isOfForm) {
        checkForm(parameter, value);
      }
    } else if (isRequired) {
      throw createParameterError(name, expected, 'nothing');
    }
  }
  return values;
}

/** Throws a `QuestionError` for a parameter of the query that is unknown, or repeated and no list. */
function checkNames(parameters: readonly Parameter[], searchParams: URLSearchParams): void {
  const queryParameters = parameters.filter((parameter) => parameter.in === 'query');

  for (const name of new Set(searchParams.keys())) {
    const parameter = queryParameters.find((each) => each.name === name);
    if (!parameter) {
      const names = queryParameters.map((each) => each.name).join(', ');
      const expected = names === '' ? 'no parameters' : `only ${names}`;
      throw createParameterError(name, expected, `the parameter ${quote(name)}`);
    }

    if (!parameter.isList && searchParams.getAll(name).length > 1) {
      throw createParameterError(name, 'this parameter once', 'it repeatedly');
    }
  }
}

/** The parsed value of a parameter; undefined if it is absent. Throws a `QuestionError` for an invalid value. */
export function readValue<Value>(
  parameter: Parameter,
  values: ParameterValues,
  parse: (text: string) => Value | undefined,
): Value | undefined {
  const text = values[parameter.name];
  if (text === undefined) {
    return undefined;
  }

  const value = parse(text);
  if (value === undefined) {
    throw createValueError(parameter, text);
  }

  return value;
}

/** The values of a list parameter. */
export function splitValues(text = ''): string[] {
  return text.split(',').filter((value) => value !== '');
}

/** Reads a time in milliseconds since 1970 or in ISO 8601; a day means its start. */
function parseTime(text: string): number | undefined {
  if (/^\d{1,15}$/.test(text)) {
    return Number(text);
  }

  return readInstant(text.toUpperCase())?.[0];
}

/** Reads a time up to now; undefined for a later one, at which nothing can have been published. */
export function readPastInstant(text: string): number | undefined {
  const instant = parseTime(text);
  return instant !== undefined && instant <= Date.now() ? instant : undefined;
}

/** The time of a parameter `since`; 0 without it. Throws a `QuestionError` for an invalid or future one. */
export function readSince(parameter: Parameter, values: ParameterValues): number {
  return readValue(parameter, values, readPastInstant) ?? 0;
}

/** Throws a `QuestionError` for a text that is too long, or an integer that is malformed or out of range. */
export function checkSize(field: BodyField, value: string): void {
  const { name, schema } = field;
  if (schema.type === 'integer') {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= schema.minimum && number <= schema.maximum)) {
      throw createValueError(field, value);
    }

    return;
  }

  const { length } = [...value];
  if (length > schema.maxLength) {
    const limit = `at most ${formatCount(schema.maxLength, 'character')}`;
    throw createParameterError(name, limit, formatNumber(length), {
      position: schema.maxLength + 1,
    });
  }
}

/** Throws a `QuestionError` for a value that does not match its pattern. */
export function checkForm(field: BodyField, value: string): void {
  const { schema } = field;
  if (schema.type !== 'integer' && !new RegExp(schema.pattern ?? '').test(value)) {
    throw createValueError(field, value);
  }
}

export function createValueError({ name, expected }: BodyField, value: string): QuestionError {
  return createParameterError(name, expected, quote(value));
}

export function createParameterError(
  name: string,
  expected: string,
  got: string,
  members: QuestionErrorParts['members'] = {},
): QuestionError {
  const parameter = name.slice(0, 100);
  const detail = `${parameter}: expected ${expected}; got ${got}`;
  return rejectRequest(400, detail, { parameter, expected, ...members });
}
