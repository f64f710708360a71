import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * A build is over before V8's optimising compiler has paid for itself: on the other core it takes a sixth of the time of
 * the whole. What it would have made a little faster is compiled by Maglev, as everything else.
 */
export function spareOptimising(): void {
  setFlagsFromString('--no-opt');
}

/** Rooms for new objects of this size hold what is made of a component; larger ones only grow the process. */
const youngLimit = 8 * 2 ** 20;

/**
 * V8 doubles the room for new objects for as long as a program keeps making what lives a while, and a build makes that of
 * one component after the other. Called after each; returns whether the limit is reached and set.
 */
export function limitYoungSpace(): boolean {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  if (!young || young.space_size < youngLimit) return false;
  setFlagsFromString('--semi-space-growth-factor=1');
  return true;
}
