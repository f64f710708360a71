import { BaseSequencer, type TestSpecification } from 'vitest/node';

// The longest at the end would keep a single worker busy. Starting git takes longer the more memory a worker has filled.
const first = [
  /\/(?:index-of-a-user|forge-days|closed-site)\./,
  /\/test\/run\//,
  /\/test\/simulations\//,
];

/** Runs the longest files first, then those that start git most often, then the simulations, then all others in the usual order. */
export class Sequencer extends BaseSequencer {
  /** Files of a folder stay together, as they import the same: the runtime of the host alone takes a second to load. */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard!;
    const sorted = files.toSorted((one, other) => (one.moduleId < other.moduleId ? -1 : 1));
    const startOf = (shard: number) => Math.floor((shard * files.length) / count);

    return sorted.slice(startOf(index - 1), startOf(index));
  }

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = first.findIndex((pattern) => pattern.test(moduleId));
  return place === -1 ? first.length : place;
}
