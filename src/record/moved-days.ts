/**
 * Finds observed release dates in `data/` that are later than the dates in the journal. No run moves an observed date later, so an edit or
 * a merge damaged the file.
 */
import { toDay } from '../core/day.ts';
import { readProblems, type Problem } from '../core/errors.ts';
import { Recorded } from '../core/schema/recorded.ts';
import { formatCount, formatList } from '../core/text.ts';
import type { RecordedComponent } from './data-files.ts';
import { listEditedEvents } from './edited-events.ts';
import { findCommit } from './git.ts';
import { fold } from './journal.ts';

type Reported = Pick<RecordedComponent, 'component' | 'journal' | 'recorded'>;

/**
 * Lists the files of `data/` in which observed dates moved later. Each problem names the newest commit with an undamaged file. If somebody
 * edited the journal instead, the problem is about the edited line.
 */
export async function findMovedDays(
  components: readonly Reported[],
  root: string,
  signal: AbortSignal,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const { component, journal, recorded } of components) {
    const reported = fold(journal).releases;
    const moved = listMoved(recorded, reported);
    const edited =
      moved.length > 0 &&
      (await listEditedEvents(root, signal)).find(
        ({ file }) => file === `data/journal/${component}.ndjson`,
      );
    if (edited) {
      problems.push(edited);
    } else if (moved.length > 0) {
      const subject = `data/${component}.json`;
      const isWhole = (text: string) => {
        const former = Recorded.parse(JSON.parse(text));
        const versions = new Set(former.releases.map(({ version }) => version));
        const hasAll = [...reported.keys()].every((version) => versions.has(version));
        return hasAll && listMoved(former, reported).length === 0 ? true : undefined;
      };
      const commit = await findWhole(root, signal, subject, isWhole);
      const days = formatCount(moved.length, 'observed day');
      const message =
        `has ${days} later than readers know: ${formatList(moved, 3)}. No run moves an observed day later, so ` +
        `a merge or an edit damaged the file. Restore it, then run this again: git restore --source=${commit} -- ${subject}`;
      problems.push({ subject, message, file: subject });
    }
  }
  return problems;
}

type ReportedReleases = ReturnType<typeof fold>['releases'];

/** Lists the versions whose date moved later, with both dates: `1.3.0 (2026-12-08, not 2026-12-02)`. */
function listMoved({ releases }: Recorded, reported: ReportedReleases): string[] {
  return releases.flatMap(({ version, releaseTimestamp, timestampKind, firstSeen }) => {
    const { day: reportedDay = '9999', isObserved } = reported.get(version) ?? {};
    const day = releaseTimestamp === undefined ? firstSeen : toDay(releaseTimestamp);
    const isMoved = day !== undefined && timestampKind !== 'published' && day > reportedDay;
    return isObserved && isMoved ? `${version} (${day}, not ${reportedDay})` : [];
  });
}

/**
 * Finds the newest commit with an undamaged file. Returns `<commit>` if there is none, for example in a shallow clone. A person then has to
 * find the commit.
 */
async function findWhole(
  root: string,
  signal: AbortSignal,
  path: string,
  isWhole: (text: string) => true | undefined,
): Promise<string> {
  try {
    return (await findCommit(root, signal, [path], isWhole))?.commit ?? '<commit>';
  } catch (error) {
    readProblems(error);
    return '<commit>';
  }
}
