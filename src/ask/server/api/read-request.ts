import { dropUndefined } from '../../../core/model/objects.ts';
import { QuestionError, type QuestionErrorParts } from '../../../core/query/question-error.ts';
import { readInstant } from '../../../core/query/times.ts';
import { quote } from '../../../core/text/foreign-text.ts';
import { formatCount, formatList, formatNumber } from '../../../core/text/wording.ts';
import type { NameSource } from '../../answers/resolve.ts';
import { longestTexts, readText } from '../../texts/read-text.ts';
import type { ReadText } from '../../texts/text-entries.ts';
import type { BodyField, Endpoint, Parameter, ParameterValues } from './endpoint.ts';

/** Reads and validates the parameters of a request. Throws a `QuestionError` that names the expected value. */
export function readParameters(
  { parameters }: Endpoint,
  segments: ParameterValues,
  { url, headers }: Request,
): ParameterValues {
  const { searchParams } = new URL(url);
  checkNames(parameters, searchParams);

  function findText({ name, in: location }: Parameter): string | undefined {
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
    const { name, isRequired, expected } = parameter;
    const value = findText(parameter);
    values[name] = value;

    if (value !== undefined) {
      checkValue(parameter, value);
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

/** The values of a list parameter, without white space around them. */
export function splitValues(text = ''): string[] {
  const values = text.split(',').map((value) => value.trim());
  return values.filter((value) => value !== '');
}

/** The times that `readPastTime` reads, in words. */
export const pastTimeForm =
  'a time up to now in ISO 8601, such as 2026-01-31 or 2026-01-31T10:30:00Z, or in milliseconds since 1970 (0, or at least 12 digits)';

/**
 * Reads a time up to now, where a day means its start; undefined for a later one, at which nothing can have been published. A shorter number
 * than the milliseconds of an instant is rather a year, a day or a number of seconds.
 */
export function readPastTime(text: string): number | undefined {
  const isNumber = /^(?:0|\d{12,15})$/.test(text);
  const time = isNumber ? Number(text) : readInstant(text.toUpperCase())?.[0];
  return time !== undefined && time <= Date.now() ? time : undefined;
}

/** Reads the versions in a text of a request. Throws a `QuestionError` with all problems of the text. */
export async function readTextValue(
  index: Pick<NameSource, 'names' | 'details'>,
  name: string,
  text: string,
): Promise<ReadText> {
  const read = await readText(index, text, longestTexts.request);
  if (read.problems.length > 0) {
    const detail = `${name}: ${formatList(read.problems, 10)}`;
    throw createRequestError(400, detail, { parameter: name });
  }

  return read;
}

/**
 * Throws a `QuestionError` for a text that is too long or does not match its pattern, and for an integer that is malformed or out of
 * range.
 */
export function checkValue(field: BodyField & Pick<Parameter, 'isName'>, text: string): void {
  const { name, schema, isName } = field;
  if (schema.type === 'integer') {
    const value = Number(text);
    if (!/^\d{1,9}$/.test(text) || value < schema.minimum || value > schema.maximum) {
      throw createValueError(field, text);
    }
    return;
  }

  const { maxLength, pattern = '' } = schema;
  const { length } = [...text];
  if (length > maxLength) {
    const limit = `at most ${formatCount(maxLength, 'character')}`;
    throw createParameterError(name, limit, formatNumber(length), { position: maxLength + 1 });
  }
  if (!isName && !new RegExp(pattern).test(text)) {
    throw createValueError(field, text);
  }
}

export function createValueError({ name, expected }: BodyField, value: string): QuestionError {
  return createParameterError(name, expected, quote(value));
}

/** The error for a request that cannot be answered. `members`: further ones of its problem document. */
export function createRequestError(
  status: number,
  detail: string,
  members: QuestionErrorParts['members'] = {},
): QuestionError {
  return new QuestionError('request', detail, { status, members });
}

export function createParameterError(
  name: string,
  expected: string,
  got: string,
  { status = 400, position }: { status?: number; position?: number } = {},
): QuestionError {
  const parameter = name.slice(0, 100);
  const detail = `${parameter}: expected ${expected}; got ${got}`;
  return createRequestError(status, detail, dropUndefined({ parameter, expected, position }));
}
