import { cutText } from './foreign-text.ts';

/** The greatest length of a shown text. */
const maxShownLength = 120;

/** The value in a form that a person recognises, cut to a short line. */
export function show(value: unknown): string {
  const text = JSON.stringify(cutDepth(value, 3)) ?? String(value);
  return text.length > maxShownLength ? `${cutText(text, maxShownLength - 3)}…` : text;
}

/** The start of a value: a foreign document may be too large or too deep to print. */
function cutDepth(value: unknown, depth: number): unknown {
  if (typeof value === 'string') {
    return cutForMessage(value);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (depth === 0) {
    return '…';
  }

  if (Array.isArray(value)) {
    return value.slice(0, maxShownLength / 2).map((item) => cutDepth(item, depth - 1));
  }

  const entries = Object.entries(value).slice(0, maxShownLength / 4);
  return Object.fromEntries(
    entries.map(([key, item]) => [
      cutText(key, maxShownLength),
      isSecretKey(key) ? '…' : cutDepth(item, depth - 1),
    ]),
  );
}

/** A key whose value may contain a private key by mistake. */
export function isSecretKey(key: PropertyKey): boolean {
  return key === 'jwkSet';
}

/**
 * The start of a foreign text for a message, which may reach public logs: without the part before an `@` and the query of every
 * address, valid or not. The text is cut first, since searching takes longer than linear time.
 */
function cutForMessage(text: string): string {
  const start = cutText(text, 2 * maxShownLength);
  if (start.length === text.length) {
    return cutText(removeSecrets(text), maxShownLength);
  }

  // A password may end behind the cut: its address is not shown from the first colon on.
  const [word = ''] = /\S+$/.exec(start) ?? [];
  const before = start.slice(0, start.length - word.length);
  const [name = ''] = word.split(':', 1);
  const shown = removeSecrets(`${before}${name === word ? word : `${name}:…`}`);
  return cutText(shown, maxShownLength);
}

const host = String.raw`(?:[\w-]+\.)+[a-z]{2,}(?![\w.])`;
/** `user:password@host`. */
const withPassword = String.raw`\S*:\S*@`;
/** `token@npm.example.com`, and not `name@1.0`. */
const withToken = String.raw`\S+@${host}`;
/** `npm.example.com/?token`. */
const withQuery = String.raw`${host}\S*\?`;
/** `pkg:npm/name@1.0` has no secret, and a scheme is found by its slashes. */
const packageOrScheme = String.raw`pkg:|\S*://`;

/** An address from behind its scheme, or a word that is an address without one. */
const address = new RegExp(
  String.raw`(://|(?<!\S)(?!${packageOrScheme})(?=${withPassword}|${withToken}|${withQuery}))(\S*)`,
  'gi',
);

function removeSecrets(text: string): string {
  return text.replaceAll(address, (_, start: string, url: string) => {
    const userinfo = url.slice(0, url.lastIndexOf('@') + 1);
    // Without a colon, an "@" behind "/", "?" or "#" belongs to the path.
    const mayBeSecret = userinfo !== '' && (userinfo.includes(':') || !/[/?#]/.test(userinfo));
    const shown = mayBeSecret ? `…@${url.slice(userinfo.length)}` : url;
    return start + shown.replace(/\?.+/, '?…');
  });
}
