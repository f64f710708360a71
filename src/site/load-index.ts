/** An index as a build shows it: definitions and recorded data, judged as of a day. */
import type { Day } from '../core/day.ts';
import { readProblems, type Problem } from '../core/errors.ts';
import { readDefinitions, readPolicies, readSettings } from '../core/index/read-folder.ts';
import type { Definition } from '../core/schema/definition.ts';
import type { Run } from '../core/schema/events.ts';
import { judgeAll, type Subject } from '../judge/judge.ts';
import { withhold } from '../judge/withhold.ts';
import { openData, type DataFiles } from '../record/files.ts';
import { fold } from '../record/told.ts';
import { describeFreshness } from './freshness.ts';
import { readStatements } from './statements.ts';

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
  const data = openData(root);
  const runs = data.readRuns();
  const answers = data.readFreshness(runs.at(-1)?.asOf);
  const { components, problems } = readComponents(root, read.definitions, data);

  const index = {
    asOf: day,
    settings,
    components: judgeAll(describeSubjects(components, runs), day),
    journals: new Map(components.map(({ name, journal }) => [name, journal])),
    statements: new Map(components.map(({ name, statements }) => [name, statements])),
    events: data.countEvents(),
    freshness: new Map(
      components.map(({ name, definition, held }) => [
        name,
        describeFreshness(definition, { answers: answers[name], held }, { asOf: day, settings }),
      ]),
    ),
    answers,
    runs,
    decisions: data.readDecisions(),
    policies: readPolicies(root, program),
  };
  return { index, problems: [...read.problems, ...problems] };
}

/** Everything that a build shows, as of one day. */
export type Index = Readonly<ReturnType<typeof loadIndex>['index']>;

/** What is recorded and signed of each component, but those with problems in their files. */
function readComponents(
  root: string,
  definitions: ReadonlyMap<string, Definition>,
  data: DataFiles,
) {
  const problems: Problem[] = [];
  const holds = Map.groupBy(data.readHeld(), ({ component }) => component);
  const components = [...definitions].flatMap(([name, definition]) => {
    try {
      const statements = readStatements(root, name);
      const journal = data.readJournal(name);
      const recorded = data.readRecorded(name, journal);
      return { name, definition, statements, journal, recorded, held: holds.get(name) };
    } catch (error) {
      problems.push(...readProblems(error));
      return [];
    }
  });
  return { components, problems };
}

type ReadComponent = ReturnType<typeof readComponents>['components'][number];

/** What verdicts on components follow from. */
function describeSubjects(components: readonly ReadComponent[], runs: readonly Run[]): Subject[] {
  // Events of old runs have another instant than their end.
  const finishedAt = new Map(runs.map((run) => [run.at, run.finishedAt]));
  return components.map(({ name, definition, journal, recorded, held = [] }) => {
    const released = journal.filter(({ type }) => type === 'released' || type === 'included');
    return {
      name,
      definition,
      recorded: withhold(recorded, held),
      availableAt: new Map(
        released.map(({ version = '', at }) => [version, finishedAt.get(at) ?? at]),
      ),
      told: fold(journal),
    };
  });
}

export function findComponent(name: string | undefined, { components }: Index) {
  return components.find(({ component }) => component === name);
}
