/** A median, and how it is shown: with the least and the greatest. */
export interface Measured {
  median: number;
  text: string;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Of the ratios of measurements that were taken in the same round. */
export function ratio(values: readonly number[], to: readonly number[]): Measured {
  return describe(
    values.map((value, round) => value / to[round]!),
    show,
  );
}

export function spread(values: readonly number[]): Measured {
  return describe(values, whole);
}

function describe(values: readonly number[], print: (value: number) => string): Measured {
  const middle = median(values);
  const text = `${print(middle)} (${print(Math.min(...values))}–${print(Math.max(...values))})`;
  return { median: middle, text };
}

function show(number: number): string {
  return number.toFixed(number < 10 ? 2 : 1);
}

function whole(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}
