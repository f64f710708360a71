import leven from 'leven';
import { isOneEdit } from './one-edit.ts';

/** No name is longer: a longer text is not a mistyped name. */
const maxNameLength = 200;

/** The candidate with the fewest edits, ignoring case, if at most one letter in five differs, or a single one. */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
  if (text.length > maxNameLength) {
    return undefined;
  }

  const typed = text.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(text.length / 5)) + 1;
  for (const candidate of candidates) {
    const name = candidate.toLowerCase();
    const distance = isOneEdit(typed, name) ? 1 : leven(typed, name, { maxDistance: bestDistance });
    if (distance < bestDistance) {
      [best, bestDistance] = [candidate, distance];
    }
  }
  return best;
}

/** ` Did you mean "x"?`, to follow a sentence; empty where nothing is near. */
export function didYouMean(text: string, candidates: Iterable<string>, prefix = ''): string {
  const near = nearest(text, candidates);
  return near === undefined ? '' : ` Did you mean "${prefix}${near}"?`;
}
