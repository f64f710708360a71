/** Means that a question has no answer. The API sends this error as a problem document. */
export class AskError extends Error {
  override readonly name = 'AskError';
  readonly status: Status;
  /** Further members of the problem document that the API sends. */
  readonly members: AskMembers;

  constructor(status: Status, message: string, members: AskMembers = {}) {
    super(message);
    this.status = status;
    this.members = members;
  }
}

/** The HTTP status code of the answer. */
type Status = 400 | 401 | 403 | 404 | 413 | 415 | 501 | 503;

interface AskMembers {
  readonly parameter?: string;
  /** The position of the first wrong character in a query; the first character is 1. */
  readonly position?: number;
  readonly expected?: string;
  readonly didYouMean?: readonly string[];
}
