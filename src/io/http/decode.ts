import { isUtf8 } from 'node:buffer';
import { HttpError, showUrl } from './error.ts';

interface Source {
  method: string;
  url: URL;
}

/** Strict UTF-8; a byte order mark is dropped. Throws `HttpError` of kind `content`. */
export function decodeText(body: Buffer, source: Source): string {
  if (!isUtf8(body)) throw contentError(source, 'is not valid UTF-8');
  return new TextDecoder().decode(body);
}

/** Throws `HttpError` of kind `content`. */
export function decodeJson(body: Buffer, source: Source): unknown {
  const text = decodeText(body, source);
  try {
    return JSON.parse(text);
  } catch (error) {
    const start = text.slice(0, 40).replace(/\s+/g, ' ').trim();
    throw contentError(source, `is not valid JSON (it begins with ${JSON.stringify(start)})`, error);
  }
}

function contentError({ method, url }: Source, problem: string, cause?: unknown): HttpError {
  const message = `${method} ${showUrl(url)} ${problem}`;
  return new HttpError({ kind: 'content', url: url.href, message, status: 200, cause });
}
