import { isObject } from '../../../core/model/objects.ts';
import type { QuestionError } from '../../../core/query/question-error.ts';
import { findRepeatedKeys } from '../../../core/text/json-keys.ts';
import { quote } from '../../../core/text/foreign-text.ts';
import { showValue } from '../../../core/text/show.ts';
import { formatCount } from '../../../core/text/wording.ts';
import type { BodyField, ParameterValues } from './endpoint.ts';
import { checkValue, createParameterError } from './read-request.ts';

const maxBytes = 1_000_000;
const json = 'application/json';
export const bodyTypes = [json, 'application/x-www-form-urlencoded', 'multipart/form-data'];

/** Reads the fields of a body: empty, a JSON object, or a form. Throws a `QuestionError` that names the expected value. */
export async function readBody(
  fields: readonly BodyField[],
  request: Request,
): Promise<ParameterValues> {
  const { headers } = request;
  const encoding = headers.get('content-encoding') || 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw createMediaTypeError('no Content-Encoding', encoding);
  }

  const bytes = await readBytes(request);
  if (bytes.size === 0) {
    return {};
  }

  const contentType = headers.get('content-type') ?? '';
  const mediaType = contentType.replace(/;.*/s, '').trim().toLowerCase();
  if (!bodyTypes.includes(mediaType)) {
    throw createMediaTypeError(bodyTypes.join(', '), mediaType || 'no Content-Type');
  }

  const entries = await (mediaType === json ? readJson(bytes) : readForm(bytes, contentType));
  return validateFields(fields, entries);
}

/** The entries of a body by name. Throws a `QuestionError` for an entry that is unknown, repeated or invalid. */
function validateFields(fields: readonly BodyField[], entries: readonly Entry[]): ParameterValues {
  const parameters: Record<string, string> = {};

  for (const [name, value] of entries) {
    const field = fields.find((each) => each.name === name);
    if (!field) {
      const names = fields.map((each) => each.name).join(', ');
      throw createParameterError(name, `only ${names}`, `the field ${quote(name)}`);
    }
    if (Object.hasOwn(parameters, name)) {
      throw createParameterError(name, 'this field once', 'it repeatedly');
    }
    if (typeof value !== 'string') {
      throw createParameterError(name, field.expected, showValue(value));
    }

    checkValue(field, value);
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

  if (!isObject(document)) {
    throw createParameterError('body', 'a JSON object', showValue(document));
  }

  const [repeated] = findRepeatedKeys(text);
  if (repeated) {
    throw createParameterError(repeated.key, 'this field once', 'it repeatedly');
  }

  // Many programs write null for unknown values.
  return Object.entries(document).filter(([, value]) => value !== null);
}

async function decodeUtf8(bytes: Blob): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await bytes.arrayBuffer());
  } catch {
    throw createParameterError('body', 'UTF-8', 'other bytes');
  }
}

/** The boundary between the parts of a form is in its Content-Type. */
async function readForm(bytes: Blob, contentType: string): Promise<Entry[]> {
  try {
    const form = await new Response(bytes, { headers: { 'Content-Type': contentType } }).formData();
    return [...form];
  } catch {
    throw createParameterError('body', `a form as ${contentType}`, 'something else');
  }
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
  return createParameterError('body', `at most ${formatCount(maxBytes, 'byte')}`, 'more', {
    status: 413,
  });
}

function createMediaTypeError(expected: string, got: string): QuestionError {
  return createParameterError('body', expected, got.slice(0, 100), { status: 415 });
}
