/** A requirement of a publication, and whether it is met. */
export interface Requirement {
  subject: string;
  /** `unknown`: only a person or the forge knows. */
  state: 'ok' | 'missing' | 'unknown';
  message: string;
  /** A command, or a place in settings. */
  remedy?: string;
}

export function pass(subject: string, message: string): Requirement {
  return { subject, state: 'ok', message };
}

export function fail(subject: string, message: string, remedy: string): Requirement {
  return { subject, state: 'missing', message, remedy };
}
