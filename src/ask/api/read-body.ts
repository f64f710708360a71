import { repeatedKeys } from '../../core/repeated-keys.ts';
import type { BodyField } from './endpoint.ts';
import { check, refuse, type Stated } from './read-parameters.ts';
import { ProblemError } from './respond.ts';

const mostBytes = 1_000_000;
const json = 'application/json';
const forms = ['application/x-www-form-urlencoded', 'multipart/form-data'];
const expected = [json, ...forms].join(', ');

/** What a body states: none, an object of JSON, or a form. Throws a `ProblemError` that names what was expected. */
export async function readBody(fields: readonly BodyField[], request: Request): Promise<Stated> {
  const contentType = request.headers.get('content-type') ?? '';
  const mediaType = contentType.split(';')[0]!.trim().toLowerCase();
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw unsupported('no Content-Encoding', encoding);
  if (mediaType !== '' && mediaType !== json && !forms.includes(mediaType))
    throw unsupported(expected, mediaType);
  const bytes = await readLimited(request);
  if (bytes.length === 0) return {};
  if (mediaType === '') throw unsupported(expected, 'no Content-Type');
  const entries = mediaType === json ? readJson(bytes) : await readForm(bytes, contentType, mediaType);
  return readFields(fields, entries);
}

type Entry = readonly [name: string, value: unknown];

function readFields(fields: readonly BodyField[], entries: readonly Entry[]): Stated {
  const stated: Record<string, string> = {};
  for (const [name, value] of entries) {
    const field = fields.find((each) => each.name === name);
    if (!field) {
      const names = fields.map((each) => each.name).join(', ');
      throw refuse(name, `only ${names}`, `the field ${JSON.stringify(name.slice(0, 100))}`);
    }
    if (Object.hasOwn(stated, name)) throw refuse(name, 'this field once', 'it repeatedly');
    if (typeof value !== 'string') throw refuse(name, field.expected, kindOf(value));
    check(field, value);
    stated[name] = value;
  }
  return stated;
}

function readJson(bytes: Uint8Array): Entry[] {
  const text = decode(bytes);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw refuse('body', 'a JSON object', (error as Error).message);
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw refuse('body', 'a JSON object', kindOf(document));
  const [repeated] = repeatedKeys(text);
  if (repeated) throw refuse(repeated.key, 'this field once', 'it repeatedly');
  // Many programs write null for what they do not know.
  return Object.entries(document).filter(([, value]) => value !== null);
}

async function readForm(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
  mediaType: string,
): Promise<Entry[]> {
  try {
    return [...(await new Response(bytes, { headers: { 'Content-Type': contentType } }).formData())];
  } catch {
    throw refuse('body', `a form as ${mediaType}`, 'something else');
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse('body', 'UTF-8', 'other bytes');
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value);
}

/** A body may state no length, and may state a wrong one. */
async function readLimited({ body, headers }: Request): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(headers.get('content-length')) > mostBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let length = 0;
  // What is left is not read once the loop ends: the stream is cancelled.
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > mostBytes) throw tooLarge();
    chunks.push(chunk);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function tooLarge(): ProblemError {
  const limit = `at most ${mostBytes.toLocaleString('en-US')} bytes`;
  return new ProblemError(413, `body: expected ${limit}`, { parameter: 'body', expected: limit });
}

function unsupported(what: string, got: string): ProblemError {
  const detail = `body: expected ${what}; got ${got.slice(0, 100)}`;
  return new ProblemError(415, detail, { parameter: 'body', expected: what });
}
