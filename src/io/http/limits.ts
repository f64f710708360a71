/** Every bound the client keeps. Times in milliseconds, sizes in bytes. */
export interface HttpLimits {
  /** resolving a host's name; six seconds leave a resolver room for its one resend after five */
  dnsMs: number;
  /** resolving, connecting and the TLS handshake together */
  connectMs: number;
  /** from the request sent to the answer's headers complete */
  headersMs: number;
  /** between two pieces of a body */
  idleMs: number;
  /** a body that brings less than `minBytesPerS` on average over this time is given up */
  paceMs: number;
  minBytesPerS: number;
  /** one request with its whole body */
  totalMs: number;
  /** a body as it travels, still compressed */
  maxTransferBytes: number;
  /** a body once unpacked; a request may name its own bound */
  maxBytes: number;
  /** a bigger body waits until there is room: no more than `largeAtATime` of them are in memory as they came */
  largeBytes: number;
  largeAtATime: number;
  /** the elements of one list or object in a JSON document, and all of its elements: what is parsed takes far more room */
  maxListLength: number;
  maxElements: number;
  maxHeaderBytes: number;
  maxRedirects: number;
  /** repeats after the first try */
  maxRetries: number;
  /** the wait before the first repeat is random below this, and doubles with each */
  backoffMs: number;
  maxBackoffMs: number;
  /** the wait before repeating a connection that was refused */
  reconnectMs: number;
  /** a longer `Retry-After` is not waited for */
  maxRetryAfterMs: number;
  perHost: number;
  overall: number;
}

const MB = 1024 * 1024;

export const defaultLimits: HttpLimits = {
  dnsMs: 6_000,
  connectMs: 10_000,
  headersMs: 30_000,
  idleMs: 15_000,
  paceMs: 30_000,
  minBytesPerS: 1024,
  totalMs: 300_000,
  maxTransferBytes: 100 * MB,
  maxBytes: 100 * MB,
  largeBytes: 4 * MB,
  largeAtATime: 4,
  maxListLength: 100_000,
  maxElements: 3_000_000,
  maxHeaderBytes: 64 * 1024,
  maxRedirects: 5,
  maxRetries: 3,
  backoffMs: 1_000,
  maxBackoffMs: 20_000,
  reconnectMs: 250,
  maxRetryAfterMs: 60_000,
  perHost: 8,
  overall: 64,
};
