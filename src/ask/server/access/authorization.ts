import type { Denial } from './deny.ts';

/** What the header `Authorization` holds. */
export interface Authorization {
  /** A key or a token. */
  readonly secret: string;
  /** Whether it was sent by Basic: issuers make tokens for Bearer only. */
  readonly isPassword: boolean;
}

/** Longer than any token of an issuer. Longer ones are not hashed. */
const maxCharacters = 8192;

/**
 * Reads the header `Authorization`: Bearer, and with `acceptsBasic` also Basic. Another scheme is no credential (RFC 6750,
 * section 3.1). Several headers arrive as one with commas, which is malformed.
 */
export function readAuthorization(
  header: string | null,
  acceptsBasic: boolean,
): Authorization | Denial {
  const text = header?.trim() ?? '';
  const [scheme = ''] = text.split(/[\s,]/, 1);
  const value = text.slice(scheme.length).trimStart();
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return isToken(value) ? { secret: value, isPassword: false } : 'invalid-token';
    case 'basic':
      return acceptsBasic ? readBasic(value) : 'no-credential';
    default:
      return 'no-credential';
  }
}

/** The password is the key or a token; the user name is ignored (RFC 7617). */
function readBasic(value: string): Authorization | Denial {
  try {
    const text = atob(value);
    const colon = text.indexOf(':');
    const password = text.slice(colon + 1);
    return colon === -1 || !isToken(password)
      ? 'invalid-token'
      : { secret: password, isPassword: true };
  } catch {
    return 'invalid-token';
  }
}

/** `token68` of RFC 9110, section 11.2. */
function isToken(text: string): boolean {
  return text.length <= maxCharacters && /^[A-Za-z0-9\-._~+/]+=*$/.test(text);
}
