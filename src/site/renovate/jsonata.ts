/** Writes regular expressions as literals of JSONata. */
import type { Extraction } from '../../ask/extract.ts';

/**
 * Writes a regular expression as a literal of JSONata: `/^(?<version>.+)-slim$/`. Undefined if JSONata cannot read it, because it has no
 * flag `u`.
 *
 * JSONata looks for the end of a literal at the first `/` outside of brackets. It also counts the brackets in `[(]` and in `\\(`, so these
 * are written as `[\(]` and `\x5c(`.
 */
export function writeRegExp({ extractVersion = '', extractFlags }: Extraction): string | undefined {
  if (/\\(?:u\{|p)/i.test(extractVersion)) {
    return undefined;
  }

  const escape = (text: string) => (text === '\\\\' ? String.raw`\x5c` : text);
  const source = extractVersion.replaceAll(/\\.|\[(?:\\.|[^\\\]])*\]|\//gs, (token) => {
    switch (token[0]) {
      case '/':
        return String.raw`\/`;
      case '[': {
        const inner = token.slice(1, -1).replaceAll(/\\.|[()[{}/]/gs, (part) => {
          return part.length === 1 ? `\\${part}` : escape(part);
        });
        return `[${inner}]`;
      }
      default:
        return escape(token);
    }
  });
  return `/${source}/${extractFlags ?? ''}`;
}
