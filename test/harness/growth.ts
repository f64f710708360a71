/** Microseconds. Less than this is noise. */
const noise = 2000;

const rounds = 5;

/**
 * How many times as long eight times the size takes: about 8 for work that grows with the size, 64 with its square. `measure` gives
 * the CPU time of its thread for a size, in microseconds. Other programs only add to that, so the least time of some rounds counts.
 */
export async function findGrowth(
  measure: (size: number) => number | Promise<number>,
  size: number,
): Promise<number> {
  // Most work takes less than 30 times the noise, and needs no comparison.
  const first = (await measure(8 * size)) / noise;
  if (first < 30) {
    return first;
  }

  let least = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    least = Math.min(least, await measure(size));
  }

  let growth = Infinity;
  for (let round = 0; round < rounds && growth >= 30; round += 1) {
    growth = Math.min(growth, (await measure(8 * size)) / Math.max(least, noise));
  }

  return growth;
}
