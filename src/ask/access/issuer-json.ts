/** An issuer that cannot be asked, which is no fault of the token. The message holds nothing of a token. */
export class IssuerTroubleError extends Error {
  override readonly name = 'IssuerTroubleError';

  constructor(url: string, what: string) {
    super(`${url} ${what}. Tokens that need it are refused.`);
  }
}

/** For all that is asked of an issuer about one token. */
export const patienceMs = 4_000;

/** Many times a set of keys or what is known of a person. */
const mostBytes = 256 * 1024;

/** What an issuer published seldom changes: its keys, and where it is asked. */
export const keptForMs = 600_000;

/**
 * Asks an issuer for a JSON object. Undefined where it answers that there is none for who asks. A redirect is not followed, as
 * it could lead a token anywhere.
 */
export async function fetchIssuerJson(
  url: string,
  { signal, headers = {} }: { signal: AbortSignal; headers?: Headers | Record<string, string> },
): Promise<Record<string, unknown> | undefined> {
  const trouble = (what: string) => new IssuerTroubleError(url, what);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { headers, signal, redirect: 'manual', cache: 'no-store' });
    text = await startOf(response);
  } catch {
    throw trouble(signal.aborted ? `gave no answer in ${patienceMs / 1000} s` : 'cannot be reached');
  }
  if (response.status >= 400 && response.status < 500) return undefined;
  if (response.status !== 200) throw trouble(`answered ${response.status}`);
  if (text.length > mostBytes) throw trouble(`answered with more than ${mostBytes} bytes`);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw trouble('did not answer with a JSON object');
}

/** The body, or as much of it as is too much. */
async function startOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > mostBytes) break;
  }
  return text;
}
