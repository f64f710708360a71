import leven from 'leven';

/** No name is longer: a longer text is not a mistyped name. */
const maxNameLength = 200;

/** The candidate with the fewest edits, ignoring case, if it is near enough to be a typo. */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
  if (text.length > maxNameLength) {
    return undefined;
  }

  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(text.length / 3)) + 1;

  for (const candidate of candidates) {
    const distance = leven(text.toLowerCase(), candidate.toLowerCase(), {
      maxDistance: bestDistance,
    });
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
