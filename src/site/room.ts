/** UTF-8 takes at most three bytes for a code unit of a string. */
const maxBytesPerUnit = 3;

/** A place for the bytes of one file after the other, so that a large site costs no more memory than its largest file. */
export class Room {
  /** What is not written to costs nothing. */
  #bytes = Buffer.allocUnsafeSlow(2 ** 25);

  /** The bytes of a body; they hold until the next call. */
  encode(body: string): Uint8Array {
    this.#reserve(0, body.length * maxBytesPerUnit);
    return this.#bytes.subarray(0, this.#bytes.write(body));
  }

  #reserve(used: number, more: number): void {
    if (used + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(used + more, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, used);
    this.#bytes = larger;
  }
}
