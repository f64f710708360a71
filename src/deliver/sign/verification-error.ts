import { sentence } from '../../core/text.ts';

/** Something does not hold of a site. The message is what a person reads: what it is, and what to do. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
  /** The file it is about. */
  readonly subject: string;

  constructor(subject: string, message: string, remedy: string) {
    super(`${sentence(message)} ${remedy}`);
    this.subject = subject;
  }
}

/** What helps against most of it. */
export const takeAgain =
  'Take the whole site again from where it is published; if that does not help, tell its owner and do not use it';
