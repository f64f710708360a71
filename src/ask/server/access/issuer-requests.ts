import * as z from 'zod';
import { QuestionError } from '../../../core/query/question-error.ts';

/** Limit for all requests to an issuer about one token. */
export const timeoutMs = 4_000;

/** Keys and metadata of an issuer seldom change. */
export const metadataValidMs = 600_000;

/** Many times the size of a key set or of the claims of a user. */
const maxCharacters = 256 * 1024;

/** A JSON object from an issuer; undefined if it rejects the request. Does not follow redirects, which could send a token anywhere. */
export async function fetchIssuerJson(
  url: string,
  signal: AbortSignal,
  headers: Headers | Record<string, string> = {},
): Promise<Record<string, unknown> | undefined> {
  let response: Response;
  let text: string | undefined;

  try {
    response = await fetch(url, { headers, signal, redirect: 'manual', cache: 'no-store' });
    text = await readShortText(response);
  } catch (cause) {
    const isTimeout = signal.aborted;
    const trouble = isTimeout ? `gave no answer in ${timeoutMs / 1000} s` : 'cannot be reached';
    throw createNoAnswerError(url, trouble, cause);
  }

  const { status } = response;
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
    return undefined;
  }
  if (status !== 200) {
    throw createNoAnswerError(url, `answered ${status}`);
  }
  if (text === undefined) {
    throw createNoAnswerError(url, `answered with more than ${maxCharacters} characters`);
  }

  return parseObject(url, text);
}

/** An issuer is unreachable or its answer is invalid; the token may be valid. The message has no part of the token. */
export function createNoAnswerError(url: string, trouble: string, cause?: unknown): QuestionError {
  const message = `${url} ${trouble}. Tokens that need it are answered with 503.`;
  return new QuestionError('unreadable', message, {}, { cause });
}

/** The body of an answer; undefined if it is longer than `maxCharacters`, of which no more is read. */
async function readShortText({ body }: Response): Promise<string | undefined> {
  let text = '';
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;

    if (text.length > maxCharacters) {
      return undefined;
    }
  }

  return text;
}

function parseObject(url: string, text: string): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch (cause) {
    throw createNoAnswerError(url, 'did not answer with a JSON object', cause);
  }
}
