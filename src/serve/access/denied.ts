import { AskError } from '../../ask/ask-error.ts';

/** Lists the reasons to reject a request. The texts quote no part of the credential, and do not name users. */
const denials = {
  'no-credential': {
    status: 401,
    text: 'Full authentication is required. Send Authorization: Bearer <access key or token>.',
  },
  'plain-http': {
    status: 400,
    text: 'Send credentials over https only: others may have read this credential.',
  },
  // The specification (test/specification/README.md) prescribes the next three texts, without full stops.
  'invalid-token': { status: 401, text: 'Token validation failed' },
  'no-email': { status: 401, text: 'Token does not contain an email claim' },
  'wrong-domain': { status: 401, text: 'Email domain is not allowed' },
  'no-user': { status: 403, text: 'No user matches your identity.' },
  'no-permission': { status: 403, text: 'The credential has no permission for this operation.' },
  // The status is not 401, because clients would then discard a token that may be valid.
  'no-answer': { status: 503, text: 'The issuer of the token gives no answer. Try again later.' },
} as const;

/** Means that the credential of a request does not allow the request. */
export class Denied extends AskError {
  readonly denial: keyof typeof denials;

  constructor(denial: keyof typeof denials) {
    super(denials[denial].status, denials[denial].text);
    this.denial = denial;
  }
}
