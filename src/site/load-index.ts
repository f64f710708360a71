import { join } from 'node:path';
import type { Day } from '../core/day.ts';
import { readProblems, type Problem } from '../core/errors.ts';
import { readIfThere } from '../core/files.ts';
import type { ComponentFreshness } from '../core/schema/documents.ts';
import { readDefinitions, readPolicies, readSettings } from '../core/index/read-folder.ts';
import type { Definition } from '../core/schema/definition.ts';
import type { Event } from '../core/schema/events.ts';
import { parseStatements } from '../core/schema/statement.ts';
import { judgeAll, type Subject } from '../judge/judge.ts';
import { withhold } from '../judge/withhold.ts';
import { openData } from '../record/files.ts';
import { fold } from '../record/journal.ts';
import { describeFreshness } from './freshness.ts';

/**
 * Reads definitions and data of an index, and judges all of it as of a day. `program`: the folder of the program. Components with
 * problems in their files are left out. `usable`: definitions in place of those in the files.
 */
export function loadIndex(
  root: string,
  day: Day,
  program: string,
  usable?: ReadonlyMap<string, Definition>,
) {
  const settings = readSettings(root);
  const read = usable ? { definitions: usable, problems: [] } : readDefinitions(root, settings);
  const { definitions } = read;
  const problems: Problem[] = [...read.problems];
  const data = openData(root);
  const runs = data.readRuns();
  // Events of old runs have another instant than their end.
  const finishedAt = new Map(runs.map((run) => [run.at, run.finishedAt]));
  const answers = data.readFreshness();
  const held = Map.groupBy(data.readHeld(), ({ component }) => component);
  const subjects: Subject[] = [];
  const journals = new Map<string, Event[]>();
  const freshness = new Map<string, ComponentFreshness>();
  for (const [name, definition] of definitions) {
    try {
      // Throws for a line that is no statement.
      readStatements(root, name);
      const journal = data.readJournal(name);
      const released = journal.filter(({ type }) => type === 'released' || type === 'included');
      const times = released.map(
        ({ version = '', at }) => [version, finishedAt.get(at) ?? at] as const,
      );
      subjects.push({
        name,
        definition,
        recorded: withhold(data.readRecorded(name, journal), held.get(name) ?? []),
        availableAt: new Map(times),
        told: fold(journal),
      });
      journals.set(name, journal);
      freshness.set(
        name,
        describeFreshness(definition, answers[name], held.get(name), day, settings.staleAfterDays),
      );
    } catch (error) {
      problems.push(...readProblems(error));
    }
  }

  const index = {
    asOf: day,
    settings,
    components: judgeAll(subjects, day),
    journals,
    events: data.countEvents(),
    freshness,
    answers,
    runs,
    decisions: data.readDecisions(),
    policies: readPolicies(root, program),
  };
  return { index, definitions, problems };
}

/** Everything that a build shows, as of one day. */
export type Index = Readonly<ReturnType<typeof loadIndex>['index']>;

/** The statements of other keys about a component. Throws an `InputError` for a line that is no envelope with one. */
export function readStatements(root: string, component: string): string {
  const file = `site/statements/${component}.ndjson`;
  const text = readIfThere(join(root, file), file)?.toString() ?? '';
  parseStatements(text, file);
  return text;
}
