import { isUtf8 } from 'node:buffer';
import { HttpError, showUrl } from './error.ts';

/** Strict UTF-8; a byte order mark is dropped. Throws `HttpError` of kind `content`. */
export function decodeText(body: Buffer, subject: { method: string; url: URL }): string {
  if (!isUtf8(body)) throw contentError(subject, 'is not valid UTF-8');
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  return body.toString('utf8', hasMark ? 3 : 0);
}

/** Throws `HttpError` of kind `content`. */
export function decodeJson(body: Buffer, subject: { method: string; url: URL }): unknown {
  const text = decodeText(body, subject);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw contentError(subject, `is not valid JSON (${startOf(text)})`, error);
  }
}

function startOf(text: string): string {
  const start = text.slice(0, 40).replace(/\s+/g, ' ').trim();
  return `it begins with ${JSON.stringify(start)}`;
}

function contentError(
  { method, url }: { method: string; url: URL },
  what: string,
  cause?: unknown,
): HttpError {
  return new HttpError({
    kind: 'content',
    url: url.href,
    message: `${method} ${showUrl(url)} ${what}`,
    attempts: 1,
    status: 200,
    cause,
  });
}
