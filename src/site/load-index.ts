/** Loads an index as a build shows it: definitions and recorded data, judged for a day. */
import type { Day } from '../core/day.ts';
import { readEach } from '../core/errors.ts';
import { readDefinitions, readSettings } from '../core/read-definitions.ts';
import type { Definition } from '../core/schema/written.ts';
import { judgeAll } from '../judge/judge.ts';
import { openData } from '../record/data-files.ts';
import { fold } from '../record/journal.ts';
import { describeFreshness } from './freshness.ts';
import { readStatements } from './given-statements.ts';
import { readPolicies } from './policies.ts';

/**
 * Reads and judges an index. Leaves out components whose files have problems.
 * - `program`: the folder of this program
 * - `usable`: the definitions, if the caller has already read them
 */
export function loadIndex(
  root: string,
  day: Day,
  program: string,
  usable?: ReadonlyMap<string, Definition>,
) {
  const settings = readSettings(root);
  const read = usable ? { definitions: usable, problems: [] } : readDefinitions(root, settings);
  const data = openData(root);
  const runs = data.readRuns();
  const answers = data.readFreshness(runs.at(-1)?.asOf, read.definitions);
  const recorded = data.readComponents(read.definitions);
  const { results: components, problems } = readEach(recorded.results, (each) => ({
    ...each,
    statements: readStatements(root, each.component),
  }));

  // A run may end some time after the instant of its events (`at`).
  const finishedAt = new Map(runs.map((run) => [run.at, run.finishedAt]));
  const subjects = components.map(({ component, definition, journal, effective }) => {
    const released = journal.filter(({ type }) => type === 'released' || type === 'included');
    return {
      name: component,
      definition,
      recorded: effective,
      availableAt: new Map(
        released.map(({ version = '', at }) => [version, finishedAt.get(at) ?? at]),
      ),
      reported: fold(journal),
    };
  });

  const index = {
    asOf: day,
    settings,
    components: judgeAll(subjects, day),
    journals: new Map(components.map(({ component, journal }) => [component, journal])),
    statements: new Map(components.map(({ component, statements }) => [component, statements])),
    events: data.countEvents(),
    freshness: new Map(
      components.map(({ component, definition, held }) => [
        component,
        describeFreshness(definition, held, { asOf: day, settings }, answers[component]),
      ]),
    ),
    answers,
    runs,
    decisions: data.readDecisions(),
    policies: readPolicies(root, program),
  };
  return { index, problems: [...read.problems, ...recorded.problems, ...problems] };
}

/** Everything that a build shows, for one day. */
export type Index = Readonly<ReturnType<typeof loadIndex>['index']>;

export function findComponent(name: string | undefined, { components }: Index) {
  return components.find(({ component }) => component === name);
}
