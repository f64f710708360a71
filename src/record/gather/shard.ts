/** One of `of` equal parts of an index, numbered from 1. */
export interface Shard {
  index: number;
  of: number;
}

/** Reads `2/8`. Undefined for anything else. */
export function parseShard(text: string): Shard | undefined {
  const match = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text);
  if (!match) return undefined;
  const shard = { index: Number(match[1]), of: Number(match[2]) };
  return shard.index <= shard.of ? shard : undefined;
}

/**
 * The names of a shard. Neighbours in the alphabet often share an upstream, so they go to different shards, which makes
 * each take about as long.
 */
export function takeShard(names: readonly string[], { index, of }: Shard): string[] {
  return names.filter((_, place) => place % of === index - 1);
}
