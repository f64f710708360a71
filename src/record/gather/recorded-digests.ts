import {
  contradiction,
  mostArtifacts,
  strengthOf,
  type ArtifactDigests,
} from '../../core/schemas/artifact-digests.ts';
import type { RecordedRelease } from '../../core/schemas/recorded.ts';
import type { BelievedRelease } from './believed-days.ts';
import type { MergeJournal } from './merge-journal.ts';

/**
 * What is recorded once stays: new artifacts of a release, and stronger digests of the same bytes, are added without a word. Other
 * bytes under a known name are taken only where a person has accepted them.
 */
export function takeDigests(
  entry: RecordedRelease,
  { digests: stated }: BelievedRelease,
  { id, isAccepted = false }: { id: string; isAccepted?: boolean },
  journal: MergeJournal,
): void {
  if (stated === undefined) return;
  const known = new Map(Object.entries(entry.digests?.[id] ?? {}));
  for (const [artifact, text] of Object.entries(stated)) {
    const before = known.get(artifact);
    if (before === undefined) {
      if (known.size < mostArtifacts) known.set(artifact, strongest(text));
    } else if (!contradiction(before, text)) known.set(artifact, united(before, text));
    else if (isAccepted) {
      const to = strongest(text);
      known.set(artifact, to);
      journal.change('republished', entry, artifact);
      journal.record(entry, {
        field: 'digests',
        from: `${artifact} ${before}`,
        to: `${artifact} ${to}`,
        reason: `${id} has other bytes under the same name`,
      });
    }
  }
  entry.digests = inOrder({ ...entry.digests, [id]: inOrder(Object.fromEntries(known)) });
}

/** The artifacts whose bytes are not those that were recorded: name, recorded and stated digest. */
export function contradictionsIn(
  entry: RecordedRelease | undefined,
  id: string,
  stated: ArtifactDigests = {},
): [artifact: string, recorded: string, stated: string][] {
  const known = new Map(Object.entries(entry?.digests?.[id] ?? {}));
  return Object.entries(stated).flatMap(([artifact, text]) => {
    const found = contradiction(known.get(artifact) ?? '', text);
    return found ? [[artifact, ...found]] : [];
  });
}

/** Digests are given the weakest first. */
function strongest(text: string): string {
  return text.slice(text.lastIndexOf(' ') + 1);
}

function united(before: string, text: string): string {
  const digests = new Set([...before.split(' '), strongest(text)]);
  return [...digests].sort((a, b) => strengthOf(a) - strengthOf(b)).join(' ');
}

function inOrder<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
