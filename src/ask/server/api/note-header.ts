import { toLine } from '../../../core/text/foreign-text.ts';
import type { PublishedIndex } from '../../answers/published-index.ts';

/** Many clients read at most 8 KiB or 16 KiB of headers. */
const maxNoteLength = 2000;

/**
 * A header with notes, such as a warning that the index is old. Notes quote questions and titles: other characters than ASCII, which
 * clients would read differently, become question marks.
 */
export async function createNoteHeader(
  index: PublishedIndex,
  notes: readonly string[] = [],
): Promise<Readonly<Record<string, string>>> {
  const staleness = await index.staleness();
  const text = [toLine(notes.join(' '), maxNoteLength), staleness ?? ''].join(' ').trim();
  return text === '' ? {} : { 'Release-Index-Note': text.replaceAll(/[^ -~]/gu, '?') };
}
