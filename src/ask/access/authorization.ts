/** What a request says of who asks. */
export type Credential =
  | { readonly kind: 'none' }
  /** Something of ours, in a form that it cannot have. */
  | { readonly kind: 'malformed' }
  /** A key or a token; `isKey` where it can only be a key. */
  | { readonly kind: 'secret'; readonly secret: string; readonly isKey: boolean };

/** Longer than any token of an issuer; what is longer is neither decoded nor digested. */
const mostCharacters = 8192;

const malformed: Credential = { kind: 'malformed' };

/**
 * Reads the header `Authorization`. Another scheme than Bearer is no credential (RFC 6750, section 3.1), and so is Basic where
 * it is not taken. Several headers come as one with commas, which is malformed.
 */
export function readAuthorization(header: string | null, takesBasic: boolean): Credential {
  const text = header?.trim() ?? '';
  const scheme = /^[^\s,]*/.exec(text)![0];
  const value = text.slice(scheme.length).trimStart();
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return isToken(value) ? { kind: 'secret', secret: value, isKey: false } : malformed;
    case 'basic':
      return takesBasic ? readBasic(value) : { kind: 'none' };
    default:
      return { kind: 'none' };
  }
}

/** The password is the key, whoever the user says to be (RFC 7617). */
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
