import leven from 'leven';

/** `2,340`, of a whole number. */
export function formatNumber(count: number): string {
  return count.toLocaleString('en-US');
}

/** `1 release`, `2,340 releases`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `one month`, `18 months`: for a count in a sentence. */
export function spellOutMonths(count: number): string {
  return count === 1 ? 'one month' : formatCount(count, 'month');
}

/** `a, b and 3 more`. */
export function formatList(names: readonly string[], limit: number): string {
  const shown = names.slice(0, limit).join(', ');
  return names.length > limit ? `${shown} and ${formatNumber(names.length - limit)} more` : shown;
}

/** `13.1 to 21.2`; equal names once. */
export function formatRange(first: string, last: string): string {
  return first === last ? first : `${first} to ${last}`;
}

/** With a full stop, unless it ends as a sentence does. */
export function endSentence(text: string): string {
  return isSentence(text) ? text : `${text}.`;
}

export function isSentence(text: string): boolean {
  return /[.!?…]$/.test(text);
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** No name is longer: a longer text is not a mistyped name. */
const maxNameLength = 200;

/** The candidate with the fewest edits, ignoring case, if at most one letter in five differs, or a single one of several. */
export function findNearest(text: string, candidates: Iterable<string>): string | undefined {
  if (text.length > maxNameLength) {
    return undefined;
  }

  const lowerText = text.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.min(text.length, Math.max(1, Math.floor(text.length / 5)) + 1);
  for (const candidate of candidates) {
    const name = candidate.toLowerCase();
    const distance = isOneEdit(lowerText, name)
      ? 1
      : leven(lowerText, name, { maxDistance: bestDistance });
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** ` Did you mean "x"?`, to follow a sentence; empty where nothing is near. */
export function didYouMean(text: string, candidates: Iterable<string>, prefix = ''): string {
  const name = findNearest(text, candidates);
  return name === undefined ? '' : ` Did you mean "${prefix}${name}"?`;
}

/** Whether exactly one letter is missing, wrong or too many, or two neighbours change places. */
export function isOneEdit(text: string, other: string): boolean {
  if (leven(text, other, { maxDistance: 2 }) === 1) {
    return true;
  }

  let start = 0;
  while (start < text.length && text[start] === other[start]) {
    start += 1;
  }

  const swapped = text.charAt(start + 1) + text.charAt(start);
  return text !== other && text.slice(0, start) + swapped + text.slice(start + 2) === other;
}
