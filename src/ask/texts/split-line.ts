import { isConnector } from './read-statement.ts';

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

const mostWords = 5;

/** The last words before a version, less those that only join them, the longest first: `Maven agent` and `agent` of `and the Maven agent is`. */
export function listEndings(name: string): string[] {
  const words = name.split(/\s+/);
  const end = words.findLastIndex((word) => !isConnector(word)) + 1;
  const last = words.slice(Math.max(0, end - mostWords), end);
  return last
    .map((_, place) => last.slice(place).join(' '))
    .filter((ending) => /^[\p{L} ]+$/u.test(ending));
}
