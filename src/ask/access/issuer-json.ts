/** An issuer cannot be reached or answers wrongly; the token may be right. The message holds nothing of the token. */
export class IssuerTroubleError extends Error {
  override readonly name = 'IssuerTroubleError';

  constructor(url: string, what: string) {
    super(`${url} ${what}. Tokens that need it are answered with 503.`);
  }
}

/** Limit for all requests to an issuer about one token. */
export const timeoutMs = 4_000;

/** Many times a set of keys or the claims of a user. */
const mostBytes = 256 * 1024;

/** Keys and metadata of an issuer seldom change. */
export const cachedForMs = 600_000;

/** Fetches a JSON object from an issuer; undefined where it rejects the request. Redirects are not followed: one could lead a token anywhere. */
export async function fetchIssuerJson(
  url: string,
  { signal, headers = {} }: { signal: AbortSignal; headers?: Headers | Record<string, string> },
): Promise<Record<string, unknown> | undefined> {
  const trouble = (what: string) => new IssuerTroubleError(url, what);
  let response: Response;
  let text = '';
  try {
    response = await fetch(url, { headers, signal, redirect: 'manual', cache: 'no-store' });
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > mostBytes) break;
    }
  } catch {
    throw trouble(signal.aborted ? `gave no answer in ${timeoutMs / 1000} s` : 'cannot be reached');
  }
  const { status } = response;
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) return undefined;
  if (status !== 200) throw trouble(`answered ${status}`);
  if (text.length > mostBytes) throw trouble(`answered with more than ${mostBytes} bytes`);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw trouble('did not answer with a JSON object');
}
