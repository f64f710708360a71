/** The fields that say how far a time is from the day of the question, each with the field of that time. */
export const distances = {
  age: 'releaseTimestamp',
  supportLeft: 'supportedUntil',
  phaseLeft: 'phaseUntil',
} as const;
export type Distance = keyof typeof distances;

export function isDistance(name: string): name is Distance {
  return name in distances;
}

/** In milliseconds; undefined where the other time is unknown, and for an end that is over. */
export function computeDistance(
  name: Distance,
  time: string | undefined,
  now: number,
): number | undefined {
  if (time === undefined) {
    return undefined;
  }

  const remaining = Date.parse(time) - now;

  // A release later on the same day has the age 0.
  if (name === 'age') {
    return Math.max(0, -remaining);
  }

  return remaining >= 0 ? remaining : undefined;
}
