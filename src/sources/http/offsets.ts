/** Compares our clock with the times in answers. */

/**
 * Returns how many milliseconds an answer is ahead of our clock. The answer's time is its header `Date`. If it comes from a cache, its
 * `Age` is added (RFC 9111, section 4.2.3).
 */
export function readOffset(headers: Headers): number | undefined {
  const sentAt = Date.parse(headers.get('date') ?? '');
  const age = headers.get('age') ?? '';
  const ageMs = /^\d{1,9}$/.test(age) ? Number(age) * 1000 : 0;
  return Number.isNaN(sentAt) ? undefined : sentAt + ageMs - Date.now();
}

/** Returns the median. If two numbers are in the middle, returns the number nearer to zero. Undefined for an empty list. */
export function findMedian(numbers: readonly number[]): number | undefined {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const middle = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1);
  return middle.sort((a, b) => Math.abs(a) - Math.abs(b))[0];
}
