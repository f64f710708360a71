import type { QuestionError, QuestionErrorParts } from '../../../core/query/question-error.ts';
import { readInstant } from '../../../core/query/times.ts';
import { formatCount, formatNumber } from '../../../core/text/wording.ts';
import type { BodyField, Endpoint, Parameter, ParameterValues } from './endpoint.ts';
import { rejectRequest } from './respond.ts';
import { findRepeatedKeys } from '../../../core/text/document-text.ts';

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
      throw createParameterError(name, expected, `the parameter ${quoteStart(name)}`);
    }

    if (!parameter.isList && searchParams.getAll(name).length > 1) {
      throw createParameterError(name, 'this parameter once', 'it repeatedly');
    }
  }
}

/** The start of a foreign text in quotes. */
function quoteStart(text: string): string {
  return JSON.stringify(text.slice(0, 100));
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
function checkSize(field: BodyField, value: string): void {
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
function checkForm(field: BodyField, value: string): void {
  const { schema } = field;
  if (schema.type !== 'integer' && !new RegExp(schema.pattern ?? '').test(value)) {
    throw createValueError(field, value);
  }
}

export function createValueError({ name, expected }: BodyField, value: string): QuestionError {
  return createParameterError(name, expected, quoteStart(value));
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

const maxBytes = 1_000_000;
const json = 'application/json';
const bodyTypes = [json, 'application/x-www-form-urlencoded', 'multipart/form-data'];

/** Reads the fields of a body: empty, a JSON object, or a form. Throws a `QuestionError` that names the expected value. */
export async function readBody(
  fields: readonly BodyField[],
  request: Request,
): Promise<ParameterValues> {
  const mediaType = readMediaType(request);
  if (mediaType !== undefined && !bodyTypes.includes(mediaType)) {
    throw createMediaTypeError(bodyTypes.join(', '), mediaType);
  }

  const bytes = await readBytes(request);
  if (bytes.size === 0) {
    return {};
  }
  if (mediaType === undefined) {
    throw createMediaTypeError(bodyTypes.join(', '), 'no Content-Type');
  }

  const entries = await (mediaType === json ? readJson(bytes) : readForm(bytes, request));
  return validateFields(fields, entries);
}

/** The media type, if one is stated. Throws a `QuestionError` for a compressed body. */
function readMediaType({ headers }: Request): string | undefined {
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw createMediaTypeError('no Content-Encoding', encoding);
  }

  return removeParameters(headers.get('content-type') ?? '') || undefined;
}

/** The entries of a body by name. Throws a `QuestionError` for an entry that is unknown, repeated or invalid. */
function validateFields(fields: readonly BodyField[], entries: readonly Entry[]): ParameterValues {
  const parameters: Record<string, string> = {};

  for (const [name, value] of entries) {
    const field = fields.find((each) => each.name === name);
    if (!field) {
      const names = fields.map((each) => each.name).join(', ');
      throw createParameterError(name, `only ${names}`, `the field ${quoteStart(name)}`);
    }
    if (Object.hasOwn(parameters, name)) {
      throw createParameterError(name, 'this field once', 'it repeatedly');
    }
    if (typeof value !== 'string') {
      throw createParameterError(name, field.expected, describeKind(value));
    }

    checkSize(field, value);
    checkForm(field, value);
    parameters[name] = value;
  }

  return parameters;
}

type Entry = readonly [name: string, value: unknown];

async function readJson(bytes: Blob): Promise<Entry[]> {
  const text = await decodeUtf8(bytes);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    // Only a SyntaxError can be thrown.
    throw createParameterError('body', 'a JSON object', (error as SyntaxError).message);
  }

  const kind = describeKind(document);
  if (kind !== 'an object') {
    throw createParameterError('body', 'a JSON object', kind);
  }

  const [repeated] = findRepeatedKeys(text);
  if (repeated) {
    throw createParameterError(repeated.key, 'this field once', 'it repeatedly');
  }

  // Many programs write null for unknown values. The kind is that of an object.
  return Object.entries(document as object).filter(([, value]) => value !== null);
}

async function decodeUtf8(bytes: Blob): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await bytes.arrayBuffer());
  } catch {
    throw createParameterError('body', 'UTF-8', 'other bytes');
  }
}

/** `text/plain` for `Text/plain; charset=utf-8`. */
function removeParameters(contentType: string): string {
  return contentType.replace(/;.*/s, '').trim().toLowerCase();
}

async function readForm(bytes: Blob, { headers }: Request): Promise<Entry[]> {
  const contentType = headers.get('content-type') ?? '';
  try {
    const form = await new Response(bytes, { headers: { 'Content-Type': contentType } }).formData();
    return [...form];
  } catch {
    throw createParameterError(
      'body',
      `a form as ${removeParameters(contentType)}`,
      'something else',
    );
  }
}

/** `an array`, `an object`, or the start of a text in quotes; a number, `true`, `false` or `null` as it is. */
function describeKind(value: unknown): string {
  if (Array.isArray(value)) {
    return 'an array';
  }

  if (typeof value === 'string') {
    return quoteStart(value);
  }

  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** The bytes of a body. Counts them, because Content-Length may be missing or wrong. Throws a `QuestionError` for too many. */
async function readBytes({ body, headers }: Request): Promise<Blob> {
  if (Number(headers.get('content-length')) > maxBytes) {
    throw createLengthError();
  }

  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;

  // A body without a stated length is read to the end: a client that is still sending would lose the answer.
  for await (const chunk of body ?? []) {
    length += chunk.length;

    if (length <= maxBytes) {
      chunks.push(chunk);
    }
  }

  if (length > maxBytes) {
    throw createLengthError();
  }

  return new Blob(chunks);
}

function createLengthError(): QuestionError {
  const expected = `at most ${formatCount(maxBytes, 'byte')}`;
  return rejectRequest(413, `body: expected ${expected}`, { parameter: 'body', expected });
}

function createMediaTypeError(expected: string, got: string): QuestionError {
  const detail = `body: expected ${expected}; got ${got.slice(0, 100)}`;
  return rejectRequest(415, detail, { parameter: 'body', expected });
}
