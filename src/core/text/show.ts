import { cutText } from './foreign-text.ts';

const maxShownLength = 120;
const maxShownDepth = 3;
/** With its comma, an element of a list has at least two characters, and a key with its value has more. */
const maxShownElements = maxShownLength / 2;

/** The value as a short line that a person recognises, without the secrets of addresses and the values of secret keys. */
export function showValue(value: unknown): string {
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

  const entries = Object.entries(value).slice(0, maxShownElements);
  return Object.fromEntries(
    entries.map(([key, item]) => [
      cutString(key),
      isSecretKey(key) ? '…' : cutValue(item, depth - 1),
    ]),
  );
}

/** A key whose value may contain a private key by mistake. */
export function isSecretKey(key: PropertyKey): boolean {
  return key === 'jwkSet';
}

/** The start of a text, without secrets. */
function cutString(text: string): string {
  // A foreign text may be huge, so only its start is searched. It is longer than what is shown: hiding a secret shortens it.
  const start = cutText(text, 2 * maxShownLength);
  // The cut may remove the "@" by which a password is recognised. So the last word ends at its first colon: `npm login someone:…`.
  const safeStart = start.length === text.length ? text : start.replace(/:\S*$/, ':…');
  return cutText(hideSecrets(safeStart), maxShownLength);
}

/**
 * The text without user names, passwords, tokens and queries of addresses, valid or not: messages may reach public logs. An address
 * has a scheme, or looks like one with a secret: `localhost/?token` stays.
 */
function hideSecrets(text: string): string {
  // A password may have blanks. `https://localhost:8080` has a port.
  return text.replaceAll(/\S*:\/\/[^\s:/@]*:(?!\d+[\s/?#])[^@]*@\S*|\S+/g, hideInWord);
}

function hideInWord(word: string): string {
  const [start = '', ...others] = word.split('://');
  const shownStart = mayHoldSecret(start) ? hideInAddress(start) : start;
  return others.length === 0 ? shownStart : `${shownStart}://${hideInAddress(others.join('://'))}`;
}

/** Whether a word may be an address without its scheme, and with a secret. */
function mayHoldSecret(word: string): boolean {
  return (
    // A package URL, such as `pkg:npm/name@1.0`, has no secret.
    !/^pkg:/i.test(word) &&
    // `someone:password@`
    (/:.*@/.test(word) ||
      // `token@npm.example.com`, and not `name@1.0`
      /.@(?:[\w-]+\.)+[a-z]{2,}(?![\w.])/i.test(word) ||
      // `npm.example.com/?token`, `//npm.example.com/?token`
      /^\/*(?:[\w-]+\.)+[a-z]{2,}(?![\w.]).*\?/i.test(word))
  );
}

/** `address`: without its scheme, with or without the slashes before its host. */
function hideInAddress(address: string): string {
  // A password may contain any character. Without a colon before it, an "@" after the host and "/", "?" or "#" belongs to the path.
  return address.replace(/^.*:.*@|^\/*[^/?#]*@/, '…@').replace(/\?.+/, '?…');
}
