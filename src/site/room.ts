import type { Body } from '../render/site-context.ts';

/** UTF-8 takes at most three bytes for a code unit of a string. */
const maxBytesPerUnit = 3;

/** A place for the bytes of one file after the other, so that a large site costs no more memory than its largest file. */
export class Room {
  /** What is not written to costs nothing. */
  #bytes = Buffer.allocUnsafeSlow(2 ** 25);

  /** The bytes of a body; they hold until the next call. */
  encode(body: Exclude<Body, Uint8Array>): Uint8Array {
    let length = 0;
    for (const piece of typeof body === 'string' ? [body] : body) {
      if (typeof piece === 'string') {
        this.#reserve(length, piece.length * maxBytesPerUnit);
        length += this.#bytes.write(piece, length);
      } else {
        this.#reserve(length, piece.length);
        this.#bytes.set(piece, length);
        length += piece.length;
      }
    }
    return this.#bytes.subarray(0, length);
  }

  #reserve(used: number, more: number): void {
    if (used + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(used + more, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, used);
    this.#bytes = larger;
  }
}
