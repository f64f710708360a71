/** A key whose value may contain a private key by mistake. */
export function isSecretKey(key: PropertyKey): boolean {
  return key === 'jwkSet';
}

/**
 * A short text for a message, which may reach public logs: without the part before an `@` and the query of every address, valid or
 * not.
 */
export function hideSecrets(text: string): string {
  return text.replaceAll(/\S+/g, hideInWord);
}

function hideInWord(word: string): string {
  const [start = '', ...others] = word.split('://');
  const shownStart = mayHoldSecret(start) ? hideInAddress(start) : start;
  return others.length === 0 ? shownStart : `${shownStart}://${hideInAddress(others.join('://'))}`;
}

/** Whether a word may be an address without its scheme, and with a secret. */
function mayHoldSecret(word: string): boolean {
  // `pkg:npm/name@1.0`
  if (/^pkg:/i.test(word)) {
    return false;
  }

  const hasPassword = /:.*@/.test(word);
  // `token@npm.example.com`, and not `name@1.0`
  const hasToken = /.@(?:[\w-]+\.)+[a-z]{2,}(?![\w.])/i.test(word);
  // `npm.example.com/?token`
  const hasQuery = /^(?:[\w-]+\.)+[a-z]{2,}(?![\w.]).*\?/i.test(word);
  return hasPassword || hasToken || hasQuery;
}

/** `address`: without its scheme. */
function hideInAddress(address: string): string {
  // A password may contain any character. Without a colon before it, an "@" behind "/", "?" or "#" belongs to the path.
  return address.replace(/^.*:.*@|^[^/?#]*@/, '…@').replace(/\?.+/, '?…');
}
