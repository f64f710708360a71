import * as z from 'zod';

/** Maximum time of the requests to an issuer that one answer needs. */
const timeoutMs = 4_000;

/** Keys and metadata of an issuer seldom change. */
export const metadataValidMs = 600_000;

/** Many times the size of a key set or of the claims of a user. */
const maxCharacters = 256 * 1024;

/** The signal for all requests that one answer needs, so that they share the time. */
export function startTimeLimit(): AbortSignal {
  return AbortSignal.timeout(timeoutMs);
}

/** An issuer is unreachable or its answer is invalid; the token may be valid. The message has no part of the token. */
export class IssuerError extends Error {
  override readonly name = 'IssuerError';

  constructor(url: string, trouble: string, options?: ErrorOptions) {
    super(`${url} ${trouble}. Tokens that need it are answered with 503.`, options);
  }
}

/**
 * Asks an issuer for a JSON object; undefined if it rejects the request for good. Does not follow redirects, which could send a token
 * anywhere. Throws an `IssuerError`.
 */
export async function fetchIssuerJson(
  url: string,
  timeLimit: AbortSignal,
  headers: Headers | Record<string, string> = {},
): Promise<Record<string, unknown> | undefined> {
  let response: Response;
  let text: string | undefined;
  try {
    response = await fetch(url, {
      headers,
      signal: timeLimit,
      redirect: 'manual',
      cache: 'no-store',
    });
    text = await readShortText(response);
  } catch (cause) {
    const isLate = timeLimit.aborted;
    const trouble = isLate ? `gave no answer in ${timeoutMs / 1000} s` : 'cannot be reached';
    throw new IssuerError(url, trouble, { cause });
  }

  const { status } = response;
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
    return undefined;
  }
  if (status !== 200) {
    throw new IssuerError(url, `answered ${status}`);
  }
  if (text === undefined) {
    throw new IssuerError(url, `answered with more than ${maxCharacters} characters`);
  }

  return parseObject(url, text);
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
    throw new IssuerError(url, 'did not answer with a JSON object', { cause });
  }
}
