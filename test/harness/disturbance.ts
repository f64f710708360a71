import type { IncomingMessage } from 'node:http';
import { pick } from './random.ts';
import { serve, type Document, type Documents, type Handler } from './upstream.ts';

type Random = () => number;

/** What may stand where something else is expected. */
const strange: readonly string[] = [
  'null',
  '""',
  '[]',
  '{}',
  '-1',
  '1e999',
  'true',
  '"\\ud800"',
  '"\\u0000\\u001b[31m"',
  '"__proto__"',
  '{"__proto__":{"version":"9"}}',
  '"9999.0"',
  '"1.0\\n::stop-commands::x"',
  '"2026-13-45T99:99:99Z"',
  '"javascript:alert(1)"',
  '"https://user:secret@example.com/"',
  '"../../../etc/passwd"',
  '[[[[[[[[]]]]]]]]',
];
const tokens: readonly string[] = [
  ...strange,
  '\u0000',
  '\uFEFF',
  '\uD800',
  '<',
  '&#0;',
  ']]>',
  '<!DOCTYPE a>',
  '"',
  '\\',
  '}',
  '*a',
  '&a ',
  '\n- ',
  ': ',
  '\u202E',
  '9'.repeat(300),
];
const statuses = [204, 206, 301, 304, 400, 401, 403, 404, 410, 429, 500, 503, 999];
const types = ['text/html', 'application/json', 'text/plain', 'application/octet-stream', 'x', ''];
const headers: readonly Readonly<Record<string, string>>[] = [
  { link: '</>; rel="next"' },
  { link: '<https://elsewhere.invalid/>; rel="next"' },
  { link: `<${'x'.repeat(3000)}>; rel="next"` },
  { 'content-encoding': 'gzip' },
  { 'last-modified': 'yesterday' },
  { 'last-modified': 'Thu, 01 Jan 2099 00:00:00 GMT' },
  { location: '/elsewhere' },
  { 'retry-after': '1e9' },
  { 'www-authenticate': 'Bearer realm="http://127.0.0.1:9/"' },
];

/** A server that is sound but for what chance does to some of its documents and answers. */
export function disturbed(documents: Documents, random: Random): Handler {
  const changed = new Map(
    Array.from(documents, ([path, document]) => [path, random() < 0.6 ? change(document, random) : document]),
  );
  const sound = serve(changed);
  return (request, response) => {
    if (random() < 0.93) return sound(request, response);
    const { type, body } = changed.get(request.url!) ?? { type: 'text/plain', body: 'not here' };
    const isCut = random() < 0.2;
    response.writeHead(random() < 0.5 ? 200 : pick(random, statuses), {
      'content-type': random() < 0.5 ? type : pick(random, types),
      ...(random() < 0.5 && pick(random, headers)),
      ...(isCut && { 'content-length': Buffer.byteLength(body) + 1 }),
    });
    response.end(hasBody(request) ? body : '', () => isCut && response.destroy());
  };
}

function hasBody({ method }: IncomingMessage): boolean {
  return method !== 'HEAD';
}

function change(document: Document, random: Random): Document {
  let body = String(document.body);
  for (let times = 1 + Math.floor(random() * 3); times > 0; times -= 1) {
    body = pick(random, changes)(body, random);
  }
  return { ...document, body };
}

/** Most documents are to stay readable, so that what is strange in them gets far. */
const changes = [
  replaceValue,
  replaceValue,
  replaceValue,
  breakText,
  breakText,
  insert,
  remove,
  repeat,
  truncate,
];

/** Half of a surrogate pair is a text to JSON, and to little else. */
function breakText(body: string, random: Random): string {
  const texts = [...body.matchAll(/"(?:[^"\\]|\\.)*"/g)].filter(
    ({ index, 0: { length } }) => body[index + length] !== ':',
  );
  if (texts.length === 0) return body;
  const { index, 0: text } = pick(random, texts);
  return `${body.slice(0, index)}"\\ud800"${body.slice(index + text.length)}`;
}

/** Puts something else in the place of a text or number of a document. */
function replaceValue(body: string, random: Random): string {
  const values = [...body.matchAll(/"(?:[^"\\]|\\.)*"|(?<=[:,[ ])\d[\d.]*|(?<=>)[^<\s][^<]*/g)];
  if (values.length === 0) return body;
  const { index, 0: value } = pick(random, values);
  return body.slice(0, index) + pick(random, strange) + body.slice(index + value.length);
}

function insert(body: string, random: Random): string {
  const at = place(body, random);
  return body.slice(0, at) + pick(random, tokens) + body.slice(at);
}

function remove(body: string, random: Random): string {
  const at = place(body, random);
  return body.slice(0, at) + body.slice(at + 1 + Math.floor(random() * 20));
}

function repeat(body: string, random: Random): string {
  const at = place(body, random);
  return body.slice(0, at + Math.floor(random() * 200)) + body.slice(at);
}

function truncate(body: string, random: Random): string {
  return random() < 0.3 ? body.slice(0, place(body, random)) : body;
}

function place(body: string, random: Random): number {
  return Math.floor(random() * body.length);
}
