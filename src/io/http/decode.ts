import { isUtf8 } from 'node:buffer';
import { counted } from '../../core/text.ts';
import { HttpError, type HttpErrorKind, showUrl } from './error.ts';
import { countElements } from './json-elements.ts';
import type { HttpLimits } from './limits.ts';

/** Strict UTF-8; a byte order mark is dropped. Throws `HttpError` of kind `content`. */
export function decodeText(body: Buffer, subject: { method: string; url: URL }): string {
  if (!isUtf8(body)) throw contentError(subject, 'is not valid UTF-8');
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  return body.toString('utf8', hasMark ? 3 : 0);
}

/** Throws `HttpError` of kind `content`, or `limit` for a document that would take up the memory of all others. */
export function decodeJson(
  body: Buffer,
  subject: { method: string; url: URL },
  { maxListLength, maxElements }: Pick<HttpLimits, 'maxListLength' | 'maxElements'>,
): unknown {
  const { longest, all } = countElements(body);
  if (longest > maxListLength) {
    throw contentError(subject, `has a list of more than the ${counted(maxListLength, 'element')} we read`, {
      kind: 'limit',
    });
  }
  if (all > maxElements) {
    throw contentError(subject, `has more than the ${counted(maxElements, 'element')} we read`, {
      kind: 'limit',
    });
  }
  const text = decodeText(body, subject);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw contentError(subject, `is not valid JSON (${startOf(text)})`, { cause: error });
  }
}

function startOf(text: string): string {
  const start = text.slice(0, 40).replace(/\s+/g, ' ').trim();
  return `it begins with ${JSON.stringify(start)}`;
}

function contentError(
  { method, url }: { method: string; url: URL },
  what: string,
  more: { kind?: HttpErrorKind; cause?: unknown } = {},
): HttpError {
  return new HttpError({
    kind: 'content',
    url: url.href,
    message: `${method} ${showUrl(url)} ${what}`,
    attempts: 1,
    status: 200,
    ...more,
  });
}
