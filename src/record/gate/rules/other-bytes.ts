import { contradiction } from '../../../core/model/digest.ts';
import type { RecordedRelease } from '../../../core/schemas/recorded/recorded.ts';

export interface ChangedArtifact {
  readonly artifact: string;
  readonly recorded: string;
  /** Undefined if the digest is gone. */
  readonly stated: string | undefined;
}

/** The artifacts of a release with other digests than the recorded ones. */
export function changedArtifacts(
  before: RecordedRelease,
  after: RecordedRelease,
): ChangedArtifact[] {
  const changed: ChangedArtifact[] = [];

  for (const [source, artifacts] of Object.entries(before.digests ?? {})) {
    for (const [artifact, digests] of Object.entries(artifacts)) {
      const now = after.digests?.[source]?.[artifact];
      const [recorded, stated] = otherDigest(digests, now ?? '') ?? [];
      if (recorded !== undefined) {
        changed.push({ artifact, recorded, stated });
      }
    }
  }

  return changed;
}

function otherDigest(before: string, after: string): readonly [string, string?] | undefined {
  const stated = after.split(' ');
  const gone = before.split(' ').find((digest) => !stated.includes(digest));

  return contradiction(before, after) ?? (gone === undefined ? undefined : [gone]);
}
