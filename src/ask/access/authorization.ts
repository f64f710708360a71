/** The credential of a request. */
export type Credential =
  | { readonly kind: 'none' }
  /** Bearer or Basic with a value that cannot be one. */
  | { readonly kind: 'malformed' }
  /** A key or a token; `isKey` where it can only be a key. */
  | { readonly kind: 'secret'; readonly secret: string; readonly isKey: boolean };

/** Longer than any token of an issuer. Longer values are neither decoded nor hashed. */
const mostCharacters = 8192;

const malformed: Credential = { kind: 'malformed' };

/**
 * Reads the header `Authorization`. Other schemes than Bearer, and Basic where it is not accepted, are no credential (RFC 6750,
 * section 3.1). Several headers arrive as one with commas, which is malformed.
 */
export function readAuthorization(header: string | null, acceptsBasic: boolean): Credential {
  const text = header?.trim() ?? '';
  const scheme = /^[^\s,]*/.exec(text)![0];
  const value = text.slice(scheme.length).trimStart();
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return isToken(value) ? { kind: 'secret', secret: value, isKey: false } : malformed;
    case 'basic':
      return acceptsBasic ? readBasic(value) : { kind: 'none' };
    default:
      return { kind: 'none' };
  }
}

/** The password is the key; the user name is ignored (RFC 7617). */
function readBasic(value: string): Credential {
  if (!isToken(value)) return malformed;
  try {
    const text = atob(value);
    const colon = text.indexOf(':');
    const password = text.slice(colon + 1);
    return colon === -1 || !isToken(password) ? malformed : { kind: 'secret', secret: password, isKey: true };
  } catch {
    return malformed;
  }
}

/** `token68` of RFC 9110, section 11.2. */
function isToken(text: string): boolean {
  return text.length <= mostCharacters && /^[A-Za-z0-9\-._~+/]+=*$/.test(text);
}
