export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Median of the ratios of measurements that were taken in the same round, with the least and the greatest. */
export function ratio(values: readonly number[], to: readonly number[]): string {
  const ratios = values.map((value, round) => value / to[round]!);
  return `${show(median(ratios))} (${show(Math.min(...ratios))}–${show(Math.max(...ratios))})`;
}

/** Median with the least and the greatest, rounded. */
export function spread(values: readonly number[]): string {
  return `${whole(median(values))} (${whole(Math.min(...values))}–${whole(Math.max(...values))})`;
}

function show(number: number): string {
  return number.toFixed(number < 10 ? 2 : 1);
}

function whole(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}
