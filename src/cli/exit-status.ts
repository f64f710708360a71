/** The reason of the aborted `signal` of an invocation. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
  /** 128 plus the number of the signal, as in shells. */
  readonly status: number;

  constructor(signal: NodeJS.Signals, status: number) {
    super(`stopped by ${signal}`);
    this.status = status;
  }
}

/** The exit status of an aborted run: that of its signal, else 1. */
export function findStoppedStatus({ reason }: AbortSignal): number {
  return reason instanceof StoppedError ? reason.status : 1;
}

/** The exit status where no answer is possible: the index cannot be reached or is too old, or a file is missing. */
export const unableStatus = 3;
