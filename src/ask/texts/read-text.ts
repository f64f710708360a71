import { isOurs } from '../answers/find-release.ts';
import type { NameSource } from '../answers/resolve.ts';
import { findVersions } from './find-versions.ts';
import type { Entry, ReadText } from './text-entries.ts';

/** Greatest lengths of a text, in characters: on a page, in a request to a server, and of a file of the command. */
export const longestTexts = { page: 2 ** 20, request: 64 * 2 ** 10, file: 20 * 2 ** 20 } as const;

/** Reads the statements of a text. A bill of materials gives all of its packages, any other text only what names something of the index. */
export async function readText(
  index: Pick<NameSource, 'names' | 'details'>,
  text: string,
  longest: number,
): Promise<ReadText> {
  if (text.length > longest) {
    const problem = `expected at most ${longest} characters; got ${text.length}`;
    return { entries: [], problems: [problem] };
  }

  const content = text.replace(/^\ufeff/, '');
  const isJsonOrXml = /^\s*[{<]/.test(content);
  // Loaded only if needed: a page has no reader of bills of materials before the first one.
  const bills = isJsonOrXml ? await import('./bill-of-materials.ts') : undefined;
  const bill = bills?.readBill(content);
  if (bill) {
    return bill;
  }

  const { entries, unidentified, ...textVersions } = findVersions(content, await index.names());
  const ourEntries: Entry[] = [];
  let { otherCount } = textVersions;
  for (const entry of entries) {
    if (await isOurs(index, entry[0])) {
      ourEntries.push(entry);
    } else if (entry[0].version !== undefined) {
      otherCount += 1;
    }
  }

  return { entries: ourEntries, problems: [], unidentified, otherCount };
}
