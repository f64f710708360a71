/** The number of choices for one entry. */
export const mostMeant = 3;

/** The words of a line, and the version in it. */
export function splitLine(text: string): { name: string; version: string | undefined } {
  const [whole = '', version] = /(?<![\p{L}\d_.])v?(\d[\w.+-]*)/u.exec(text) ?? [];
  const words = version === undefined ? text : text.slice(0, text.indexOf(whole));
  // The name of a variable, such as SVC_VERSION.
  const name = words
    .replaceAll(/[^\p{L}\p{N}@/_. -]+|[_ -](?:version|tag|release)\b/giu, ' ')
    .replaceAll('_', '-')
    .replace(/^[\s.-]+|[\s.@/-]+$/g, '');
  return { name, version };
}
