/** An index as a build shows it: definitions and recorded data, judged as of a day. */
import { join } from 'node:path';
import type { Day } from '../core/day.ts';
import { readProblems, type Problem } from '../core/errors.ts';
import { readIfThere } from '../core/files.ts';
import { readDefinitions, readPolicies, readSettings } from '../core/index/read-folder.ts';
import type { Definition } from '../core/schema/definition.ts';
import { parseStatements } from '../core/schema/statement.ts';
import { judgeAll } from '../judge/judge.ts';
import { withhold } from '../judge/withhold.ts';
import { openData } from '../record/files.ts';
import { fold } from '../record/told.ts';
import { describeFreshness } from './freshness.ts';

/**
 * Reads and judges an index. `program`: the folder of the program. Components with problems in their files are left out. `usable`:
 * definitions in place of those in the files.
 */
export function loadIndex(
  root: string,
  day: Day,
  program: string,
  usable?: ReadonlyMap<string, Definition>,
) {
  const settings = readSettings(root);
  const read = usable ? { definitions: usable, problems: [] } : readDefinitions(root, settings);
  const problems: Problem[] = [...read.problems];
  const data = openData(root);
  const runs = data.readRuns();
  const answers = data.readFreshness();
  const holds = Map.groupBy(data.readHeld(), ({ component }) => component);
  const components = [...read.definitions].flatMap(([name, definition]) => {
    try {
      // Throws for a line that is no statement.
      readStatements(root, name);
      const journal = data.readJournal(name);
      const recorded = data.readRecorded(name, journal);
      const state = { answers: answers[name], held: holds.get(name) };
      return { name, definition, journal, recorded, state };
    } catch (error) {
      problems.push(...readProblems(error));
      return [];
    }
  });

  // Events of old runs have another instant than their end.
  const finishedAt = new Map(runs.map((run) => [run.at, run.finishedAt]));
  const subjects = components.map(({ name, definition, journal, recorded, state }) => {
    const released = journal.filter(({ type }) => type === 'released' || type === 'included');
    return {
      name,
      definition,
      recorded: withhold(recorded, state.held ?? []),
      availableAt: new Map(
        released.map(({ version = '', at }) => [version, finishedAt.get(at) ?? at]),
      ),
      told: fold(journal),
    };
  });
  const index = {
    asOf: day,
    settings,
    components: judgeAll(subjects, day),
    journals: new Map(components.map(({ name, journal }) => [name, journal])),
    events: data.countEvents(),
    freshness: new Map(
      components.map(({ name, definition, state }) => [
        name,
        describeFreshness(definition, state, day, settings.staleAfterDays),
      ]),
    ),
    answers,
    runs,
    decisions: data.readDecisions(),
    policies: readPolicies(root, program),
  };
  return { index, problems };
}

/** Everything that a build shows, as of one day. */
export type Index = Readonly<ReturnType<typeof loadIndex>['index']>;

export function findComponent(name: string | undefined, { components }: Index) {
  return components.find(({ component }) => component === name);
}

/** What other keys have signed about releases; empty where there is none. Throws an `InputError` for a line that is no envelope with a statement. */
export function readStatements(root: string, component: string): string {
  const file = `site/statements/${component}.ndjson`;
  const text = readIfThere(join(root, file), file)?.toString() ?? '';
  parseStatements(text, file);
  return text;
}
