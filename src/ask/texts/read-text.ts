import { readTextDocument } from './read-document.ts';
import { listOf, type ReadText } from './items.ts';
import { readTextLines } from './read-lines.ts';

/** Greatest lengths of a text, in characters: on a page, for a tool, and of a file of the command. */
export const longestTexts = { page: 2 ** 20, tool: 64 * 2 ** 10, file: 20 * 2 ** 20 } as const;

/** An item of a list takes more time than its characters: a list has no more than one item for so many characters of its limit. */
const charactersForItem = 20;

/** The greatest number of items in a list: 3,276 for a tool, which must not keep others waiting. */
export function mostItems(longest: number): number {
  return Math.floor(longest / charactersForItem);
}

/**
 * Reads a list, lines of build files, a manifest, a lock file or a bill of materials. Pure, so that every page, tool and command
 * reads the same. `fileName`: decides where a content has two readings.
 */
export function readText(text: string, longest: number, fileName = ''): ReadText {
  if (text.length > longest) {
    const problem = `expected at most ${longest} characters; got ${text.length}`;
    return { entries: [], problems: [problem] };
  }

  const content = text.replace(/^\ufeff/, '');
  const most = mostItems(longest);

  return readTextDocument(content, fileName, most) ?? listOf(readTextLines(content, most), most);
}
