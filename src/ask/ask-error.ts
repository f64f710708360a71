/** A question without an answer. The API turns it into a problem document, a command prints it, and a tool returns it. */
export class AskError extends Error {
  override readonly name = 'AskError';
  readonly status: Status;
  /** More members of the problem document. */
  readonly members: AskMembers;

  constructor(status: Status, message: string, members: AskMembers = {}) {
    super(message);
    this.status = status;
    this.members = members;
  }
}

/** The status code of HTTP. */
type Status = 400 | 401 | 403 | 404 | 413 | 415 | 501 | 503;

interface AskMembers {
  readonly parameter?: string;
  /** The number of the first wrong character of a query, from 1. */
  readonly position?: number;
  readonly expected?: string;
  readonly didYouMean?: readonly string[];
}
