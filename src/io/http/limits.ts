/** The bounds of the client that callers set. Times in milliseconds, sizes in bytes. */
export const defaultLimits = {
  /** resolving, connecting and the TLS handshake together */
  connectMs: 8_000,
  /** from the request sent to the complete headers of the answer */
  headersMs: 30_000,
  /** between two pieces of a body */
  idleMs: 15_000,
  /** one request with its whole body */
  totalMs: 90_000,
  /** a body once unpacked: npm's documents can have 60 MB. A request may name its own bound */
  maxBytes: 64 * 1024 * 1024,
  /** repeats after the first attempt */
  maxRetries: 3,
};

export type HttpLimits = Readonly<typeof defaultLimits>;
