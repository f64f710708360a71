import { parseTimestamp } from '../../../core/model/timestamps.ts';
import type { StatedFacts } from '../datasource.ts';

/** Digests by artifact, without incomplete pairs; undefined if none remains. */
export function collectDigests(
  artifactDigests: readonly (readonly [
    artifact: string | null | undefined,
    digest: string | null | undefined,
  ])[],
): StatedFacts['digests'] {
  const digests = artifactDigests.filter(([artifact, digest]) => artifact && digest);
  return digests.length === 0 ? undefined : (Object.fromEntries(digests) as Record<string, string>);
}

/** The earliest stated time. Without a readable time, the first one, to be quoted in the rejection. */
export function findEarliest(times: readonly (string | null | undefined)[]): string | undefined {
  const texts = times.filter((time) => typeof time === 'string');
  const readable = texts.map((time) => parseTimestamp(time)).filter((time) => time !== undefined);
  return readable.sort()[0] ?? texts[0];
}
