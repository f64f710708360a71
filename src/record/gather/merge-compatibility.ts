import type { RecordedCompatibility, RecordedRelease } from '../../core/schemas/recorded.ts';
import type { ReleaseCompatibility } from '../../core/schemas/works-with.ts';
import { defined } from '../../core/text.ts';
import { boundsInWords } from '../../core/works-with.ts';
import type { SourceStatement } from './conflicts.ts';
import type { SoundAnswer } from './sound-answer.ts';
import type { MergeReport } from './merge-report.ts';

/**
 * Records statements on a release and other components. A changed statement replaces the previous one. A statement that its source
 * drops stays, with the last day on which it was stated.
 */
export function mergeCompatibility(
  entry: RecordedRelease,
  statements: readonly SourceStatement[],
  sound: ReadonlyMap<string, SoundAnswer>,
  report: MergeReport,
): void {
  const { worksWith: before = [] } = entry;
  const stated = statements.flatMap(({ stated, answer }) =>
    Object.entries(stated.worksWith ?? {}).flatMap(([other, all]) =>
      (all as ReleaseCompatibility[]).map((one): RecordedCompatibility => {
        const now = { other, ...one, source: answer.id, firstSeen: report.day };
        const known = before.find((was) => isSame(was, now));
        return known ? { ...now, firstSeen: known.firstSeen } : now;
      }),
    ),
  );
  const dropped = before
    .filter((was) => !stated.some((now) => keyOf(was) === keyOf(now)))
    .map((was) => {
      const answer = sound.get(was.source);
      if (!answer || was.lastSeen !== undefined) {
        return was;
      }
      return { ...was, lastSeen: answer.answeredBefore ?? report.day };
    });
  const fresh = stated.filter((now) => !before.some((was) => isSame(was, now)));
  for (const one of fresh) {
    report.change('corrected', entry, `${one.other} ${boundsInWords(one)}`);
  }
  const after = [...dropped, ...stated].map((one) => defined(one) as RecordedCompatibility);
  after.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  if (after.length > 0) {
    entry.worksWith = after;
  }
}

/** A source has one statement on a component, and one on each of its features. */
function keyOf({ other, source, feature = '' }: RecordedCompatibility): string {
  return JSON.stringify([other, source, feature]);
}

function isSame(a: RecordedCompatibility, b: RecordedCompatibility): boolean {
  const bare = ({ firstSeen: _, lastSeen: __, ...rest }: RecordedCompatibility) =>
    JSON.stringify(Object.entries(defined(rest)).sort());
  return bare(a) === bare(b);
}
