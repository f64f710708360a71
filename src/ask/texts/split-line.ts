import { isConnector } from './read-line.ts';

/** The maximum number of suggestions for one line. */
export const maxSuggestions = 3;

const versionInLine = /(?<![\p{L}\d_.])v?(\d[\w.+-]*)/u;

/** The words before the first version of a line, without punctuation, and the version. */
export function splitLine(text: string): { name: string; version: string | undefined } {
  const match = versionInLine.exec(text);
  const words = match === null ? text : text.slice(0, match.index);
  const name = words
    // The name of a variable: `SVC_VERSION` is about `SVC`.
    .replaceAll(/[^\p{L}\p{N}@/_. -]+|[_ -](?:version|tag|release)\b/giu, ' ')
    .replaceAll('_', '-')
    .replace(/^[\s.-]+|[\s.@/-]+$/g, '');
  return { name, version: match?.[1] };
}

const maxWords = 5;

/**
 * The last one to five words of a name, the longest first, without the words that join it to the version: `the Maven agent`,
 * `Maven agent` and `agent` of `the Maven agent is`.
 */
export function listEndings(name: string): string[] {
  const words = name.split(/\s+/);
  const end = words.findLastIndex((word) => !isConnector(word)) + 1;
  const endings: string[] = [];
  for (let start = Math.max(0, end - maxWords); start < end; start += 1) {
    const ending = words.slice(start, end).join(' ');
    if (/^[\p{L} ]+$/u.test(ending)) {
      endings.push(ending);
    }
  }
  return endings;
}
