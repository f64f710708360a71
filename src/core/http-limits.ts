/** Limits for what is read from addresses. */

export const maxRedirects = 5;

/** Where a redirect leads; undefined for another answer. */
export function findTarget(status: number, headers: Headers): string | undefined {
  const isRedirect = [301, 302, 303, 307, 308].includes(status);
  return (isRedirect && headers.get('location')) || undefined;
}

/** npm's documents can have 60 MB. */
export const maxBytes = 64 * 1024 * 1024;

/** Undefined for a body that is bigger. */
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
