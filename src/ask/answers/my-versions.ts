import type { CalendarEvent } from '../server/formats/write-calendar.ts';
import type { Day } from '../../core/model/dates.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import { judgePair } from '../../core/model/pair-answers.ts';
import { askExactly, problemOf, type AnsweredVersion } from './ask.ts';
import type { PublishedIndex } from './published-index.ts';

/** Maximum number of versions in a list. */
export const mostVersions = 200;

export interface MyVersion {
  readonly component: string;
  readonly version: string;
}

/** The time to upgrade. */
export type Due = 'now' | 'soon' | 'later' | 'unstated';

export interface JudgedMine extends AnsweredVersion {
  readonly due: Due;
  /** The end of support: exact or earliest possible, else latest possible. */
  readonly until: Day | undefined;
  /** The version to move to, such as `2026.3` or `Edge node 2.2`; empty if there is none, or no need. */
  readonly goal: string;
}

/** Answers for each version of a list, the most urgent first, and explains unknown versions. */
export async function judgeVersions(
  index: PublishedIndex,
  versions: readonly MyVersion[],
): Promise<{ judged: JudgedMine[]; unknown: string[] }> {
  const titles = new Map((await index.named()).map(({ name, title }) => [name, title]));
  const judged: JudgedMine[] = [];
  const unknown: string[] = [];

  for (const { component, version } of versions.slice(0, mostVersions)) {
    try {
      const found = await askExactly(index, component, version);
      const { supportedUntil, supportedUntilAtMost } = found.answer;
      const until = supportedUntil ?? supportedUntilAtMost;

      judged.push({
        ...found,
        until,
        due: dueOf(found.answer, until),
        goal: goalOf(found.answer, titles),
      });
    } catch (error) {
      const problem = problemOf(error);
      if (!problem) {
        throw error;
      }

      unknown.push(problem.message);
    }
  }

  const order: readonly Due[] = ['now', 'soon', 'later', 'unstated'];

  judged.sort(
    (a, b) =>
      order.indexOf(a.due) - order.indexOf(b.due) || ((a.until ?? '') < (b.until ?? '') ? -1 : 1),
  );

  return { judged, unknown };
}

function dueOf({ state, lineState, isSupported }: VersionAnswer, until: Day | undefined): Due {
  const known = state === 'not-listed' ? (lineState ?? state) : state;
  const isPlanned = known === 'deprecated' && isSupported === true && until !== undefined;
  if (known === 'ended' || known === 'withdrawn' || (known === 'deprecated' && !isPlanned)) {
    return 'now';
  }

  if (known === 'ends-soon' || known === 'may-have-ended' || isPlanned) {
    return 'soon';
  }

  return until === undefined ? 'unstated' : 'later';
}

export interface Conflict {
  readonly one: JudgedMine;
  readonly other: JudgedMine;
  readonly because: readonly { readonly text: string; readonly url?: string }[];
}

/** The pairs of a list that do not work together, as publishers state it. */
export function conflictsIn(judged: readonly JudgedMine[]): Conflict[] {
  return judged.flatMap((one, place) =>
    judged.slice(place + 1).flatMap((other) => {
      const { component, version } = other.answer;

      const { answer, because } = judgePair(one.details, one.answer.version, {
        component,
        version,
      });

      return answer === 'bad' ? { one, other, because } : [];
    }),
  );
}

function goalOf({ component, moveTo }: VersionAnswer, titles: ReadonlyMap<string, string>): string {
  if (!moveTo) {
    return '';
  }

  const title =
    moveTo.component === component ? undefined : (titles.get(moveTo.component) ?? moveTo.component);

  return [title, moveTo.version].filter(Boolean).join(' ');
}

/** An event for each version with a known end of support. `baseUrl`: the address of the index, with a slash at its end. */
export function eventsOf(judged: readonly JudgedMine[], baseUrl: string): CalendarEvent[] {
  return judged.flatMap(({ answer, until, goal, judged: { line } }) => {
    if (until === undefined) {
      return [];
    }

    const { component, title, version, supportedUntil, supportedUntilAtMost } = answer;
    const url = `${baseUrl}${component}.html`;
    const isRange = supportedUntil !== undefined && supportedUntilAtMost !== undefined;

    return {
      uid: `${component}/${version}/mine@${new URL(baseUrl).hostname}`,
      stamp: line?.firstReleaseDate ?? line?.firstReleaseDateAtMost ?? until,
      day: until,
      summary: `${title} ${version}: support ${isRange ? 'may end' : 'ends'}${goal && `. Move to ${goal}`}`,
      description: `${answer.sentence} ${answer.advice}\n${url}`,
      url,
    };
  });
}
