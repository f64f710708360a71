import { cutText } from './foreign-text.ts';
import { hideSecrets, isSecretKey } from './hide-secrets.ts';

const maxShownLength = 120;
const maxShownDepth = 3;
/** With its comma, an element of a list has at least two characters, and a key with its value more than four. */
const maxShownElements = maxShownLength / 2;
const maxShownKeys = maxShownLength / 4;

/** The value in a form that a person recognises, cut to a short line without secrets. */
export function show(value: unknown): string {
  const text = JSON.stringify(cutValue(value, maxShownDepth)) ?? String(value);
  return text.length > maxShownLength ? `${cutText(text, maxShownLength - 3)}…` : text;
}

/** The start of a value: a foreign document may be too large or too deep to print. */
function cutValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') {
    return cutString(value);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (depth === 0) {
    return '…';
  }

  if (Array.isArray(value)) {
    return value.slice(0, maxShownElements).map((item) => cutValue(item, depth - 1));
  }

  const entries = Object.entries(value).slice(0, maxShownKeys);
  return Object.fromEntries(
    entries.map(([key, item]) => [
      cutString(key),
      isSecretKey(key) ? '…' : cutValue(item, depth - 1),
    ]),
  );
}

function cutString(text: string): string {
  // Without its secrets, a text is shorter.
  const start = cutText(text, 2 * maxShownLength);
  // A password in the last word may end behind the cut, so only the part before its first colon is shown.
  const safeStart = start.length === text.length ? text : start.replace(/:\S*$/, ':…');
  return cutText(hideSecrets(safeStart), maxShownLength);
}
