import { readTextDocument } from './read-document.ts';
import { grouped } from '../../core/text/text.ts';
import type { ReadText } from './items.ts';
import { readTextLines } from './read-lines.ts';

/** Greatest lengths of a text, in characters: on a page, for a tool, and of a file of the command. */
export const longestTexts = { page: 2 ** 20, tool: 64 * 2 ** 10, file: 20 * 2 ** 20 } as const;

/** The greatest number of items in a text of this length. It takes time to read each; real lists of thousands have longer items. */
function mostItems(length: number): number {
  return Math.max(3000, Math.floor(length / 16));
}

/**
 * Reads a list, lines of build files, a manifest, a lock file or a bill of materials. Pure, so that every page, tool and command
 * reads the same. `fileName`: decides where a content has two readings.
 */
export function readText(text: string, longest: number, fileName = ''): ReadText {
  if (text.length > longest) {
    const problem = `expected at most ${longest} characters; got ${text.length}`;
    return { entries: [], problems: [problem], isTooLong: true };
  }

  const content = text.replace(/^\ufeff/, '');
  const most = mostItems(content.length);

  const read = readTextDocument(content, fileName, most) ?? {
    entries: readTextLines(content, most),
    problems: [],
  };
  if (read.entries.length <= most) {
    return read;
  }

  const problem = `expected at most ${grouped(most)} items in ${grouped(content.length)} characters; got more. Split the text`;

  return { entries: [], problems: [problem], isTooLong: true };
}
