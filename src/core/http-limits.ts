/** Limits the size of HTTP responses, and the number of redirects. */

export const maxRedirects = 5;

/** Returns the target of a redirect, or undefined if the answer is not a redirect. */
export function findTarget(status: number, headers: Headers): string | undefined {
  const isRedirect = [301, 302, 303, 307, 308].includes(status);
  return (isRedirect && headers.get('location')) || undefined;
}

/** The greatest size of an answer in bytes. A document from the npm registry can be 60 MB in size. */
export const maxBytes = 64 * 1024 * 1024;

/** Reads the body of an answer. Undefined if it is larger than `limit` bytes. */
export async function collect(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) {
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
