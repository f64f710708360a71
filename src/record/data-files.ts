import { globSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gt, valid } from 'semver';
import type * as z from 'zod';
import manifest from '../../package.json' with { type: 'json' };
import type { Day } from '../core/day.ts';
import { InputError, inputError, readEach, readProblems, requireAll } from '../core/errors.ts';
import { formatJson, readIfThere, saveFile } from '../core/files.ts';
import { mapValues } from '../core/objects.ts';
import { parseDocument, parseJson } from '../core/parse-document.ts';
import {
  Event,
  Run,
  Decision,
  Freshness,
  Held,
  Recorded,
  shortenRecorded,
  type Hold,
} from '../core/schema/recorded.ts';
import type { Definition } from '../core/schema/written.ts';
import { endSentence, formatShare } from '../core/text.ts';
import { withhold } from '../judge/withhold.ts';
import { rejectSlowClock } from './clock.ts';

export type DataFiles = ReturnType<typeof openData>;
export type RecordedComponent = ReturnType<DataFiles['readComponents']>['results'][number];

/**
 * Opens `data/` of the index in a folder.
 * - Opening throws an `InputError` if the last run is more than a day ahead of the clock.
 * - Reading throws an `InputError` with all problems of a file. The error also says what to do.
 * - Writing replaces the whole file.
 */
export function openData(root: string) {
  const locate = (name: string): File => ({ root, name });
  const recordedFile = (component: string) => locate(`data/${component}.json`);
  const journalFile = (component: string) => locate(`data/journal/${component}.ndjson`);
  const freshnessFile = locate('data/freshness.json');
  const heldFile = locate('data/held.json');
  const decisionsFile = locate('data/decisions.ndjson');
  const listRuns = () => listPaths(root, 'runs/*.ndjson').map(locate);
  const readJournal = (component: string) => readLines(journalFile(component), Event);
  /** Reads `data/<component>.json`. Rejects a file that lacks releases which its journal reports. */
  const readRecorded = (component: string, journal: readonly Event[] = []) =>
    withRemedy(recordedFile(component), (text, { name }) => {
      const recorded = text === undefined ? undefined : parseText(name, Recorded, text);
      rejectLacking(recorded, journal, name);
      return recorded ?? { releases: [] };
    });
  const readRuns = () => listRuns().flatMap((file) => readLines(file, Run));
  const readHeld = (definitions?: Definitions) => readHolds(heldFile, definitions);
  const lastYear = listRuns().at(-1);
  rejectSlowClock(lastYear ? readWhole(lastYear) : '');

  return {
    readRecorded,
    readJournal,
    /** Counts the events of each journal, including the journals of removed components. A count never falls. */
    countEvents: () => countEvents(root),
    /** Reads the recorded data of each component. Components with problems in their files are left out. */
    readComponents(definitions: Definitions) {
      const holds = Map.groupBy(readHeld(definitions), ({ component }) => component);
      return readEach(definitions, ([component, definition]) => {
        const journal = readJournal(component);
        const held = holds.get(component) ?? [];
        const recorded = readRecorded(component, journal);
        /** The recorded data without changes that wait for a person's decision. */
        const effective = withhold(recorded, held);
        return { component, definition, journal, held, recorded, effective };
      });
    },
    /** Writes `data/<component>.json`. `document`: the result of `toReadable`. */
    writeRecorded: (component: string, document: Recorded) =>
      saveJson(recordedFile(component), shortenRecorded(document)),
    /** Appends events, which have been checked before. */
    appendToJournal: (component: string, events: readonly Event[]) =>
      saveLines(journalFile(component), events),
    readRuns,
    appendRun: (run: Run) => saveLine(locate(`data/runs/${run.asOf.slice(0, 4)}.ndjson`), Run, run),
    readFreshness(lastDay?: Day, definitions?: Definitions) {
      const answers = readDocument(freshnessFile, Freshness, {});
      return fillDays(answers, lastDay ?? readRuns().at(-1)?.asOf, definitions);
    },
    writeFreshness: (document: Freshness, lastDay: Day | undefined) =>
      saveJson(freshnessFile, Freshness.parse(leaveOutDays(document, lastDay))),
    readHeld,
    writeHeld(holds: Hold[]) {
      if (holds.length > 0) {
        saveJson(heldFile, Held.parse({ held: holds }));
      } else {
        rmSync(join(root, heldFile.name), { force: true });
      }
    },
    readDecisions: () => readLines(decisionsFile, Decision),
    appendDecision: (decision: Decision) => saveLine(decisionsFile, Decision, decision),
    /** Removes the unfinished files of a killed run. */
    removeParts: () => listParts(root).forEach((name) => rmSync(join(root, name))),
  };
}

/**
 * Returns recorded data in the form that the next run reads. Throws if the next run could not read it. JSON keys get the order of the
 * schema, so that a diff shows only real changes.
 */
export function toReadable(recorded: Recorded): Recorded {
  return Recorded.parse(shortenRecorded(recorded));
}

type Definitions = ReadonlyMap<string, Definition>;

/**
 * Returns a function that replaces a component's former name by the present name. The files of a renamed component keep its former name
 * until a person moves them.
 */
export function createRenaming(definitions: Definitions = new Map()): (name: string) => string {
  const names = new Map(
    [...definitions].flatMap(([name, { renamedFrom = [] }]) =>
      renamedFrom.map((former) => [former, name] as const),
    ),
  );
  return (name) => names.get(name) ?? name;
}

function readHolds(file: File, definitions?: Definitions): Hold[] {
  const rename = createRenaming(definitions);
  const { held } = readDocument(file, Held, { held: [] });
  return held.map((hold) => ({ ...hold, component: rename(hold.component) }));
}

interface File {
  root: string;
  /** The path of the file, from the root of the index. */
  name: string;
}

/** Throws if recorded data lacks releases that the journal reports. `recorded`: undefined if the file does not exist. */
function rejectLacking(
  recorded: Recorded | undefined,
  journal: readonly Event[],
  name: string,
): void {
  const released = journal.filter(({ type }) => type === 'released');
  const reported = new Set(released.map(({ version }) => version));
  const { size } = reported;
  recorded?.releases.forEach(({ version }) => reported.delete(version));
  if (reported.size > 0) {
    const lack = `lacks ${formatShare(reported.size, size)} releases that its journal reports`;
    const move = `If the component was renamed: mv data/<former name>.json ${name}`;
    const other = 'If an earlier component had this name, give this component another name';
    throw inputError(name, recorded ? lack : `${lack}. ${move}. ${other}`);
  }
}

/**
 * Fills in the dates that `leaveOutDays` left out: a source without `answeredOn` answered in the last run. A source without `definition`
 * has never answered, so it gets no date.
 */
function fillDays(
  freshness: Freshness,
  answeredOn: Day | undefined,
  definitions?: Definitions,
): Freshness {
  const rename = createRenaming(definitions);
  const components = Object.entries(freshness).map(([name, sources]) => {
    const filled = mapValues(sources, (source) =>
      source.definition === undefined ? source : { answeredOn, ...source },
    );
    return [rename(name), filled];
  });
  return Object.fromEntries(components);
}

/** Leaves out `answeredOn` of sources that answered in the last run, so that a daily run changes few lines. */
function leaveOutDays(freshness: Freshness, lastDay: Day | undefined): Freshness {
  return mapValues(freshness, (sources) =>
    mapValues(sources, ({ answeredOn, ...source }) => {
      const isLast = source.definition !== undefined && answeredOn === lastDay;
      return isLast ? source : { answeredOn, ...source };
    }),
  );
}

/** Reads a JSON document. `absent`: the value if the file does not exist. */
function readDocument<T>(file: File, schema: z.ZodType<T>, absent: T): T {
  return withRemedy(file, (text, { name }) =>
    text === undefined ? absent : parseText(name, schema, text),
  );
}

function parseText<T>(name: string, schema: z.ZodType<T>, text: string): T {
  return parseDocument(schema, parseJson(text, name), name);
}

/** Reads a file with a JSON document per line. Leaves out a last line that a crash cut off. The next run writes that line again. */
function readLines<T>(file: File, schema: z.ZodType<T>): T[] {
  return withRemedy(file, (text = '', { name }) => {
    const lines = text.split('\n').slice(0, -1);
    return lines.map((line, index) => parseText(`${name}, line ${index + 1}`, schema, line));
  });
}

/**
 * Counts the events of each journal. The id of an event must be the number of its line. Otherwise throws an `InputError`, which names the
 * first wrong line of each journal.
 */
function countEvents(root: string): Record<string, number> {
  const counts = readEach(
    listPaths(root, 'journal/*.ndjson'),
    (name) => [basename(name, '.ndjson'), countLines({ root, name })] as const,
  );
  return Object.fromEntries(requireAll(counts));
}

function countLines(file: File): number {
  return withRemedy(file, (text = '', { name }) => {
    const lines = text.split('\n').slice(0, -1);
    // Runs write the id at the beginning of a line, so the lines are not parsed. Parsing would take a hundred times as long.
    const wrong = lines.findIndex((line, index) => !line.startsWith(`{"id":${index + 1},`)) + 1;
    if (wrong > 0) {
      throw inputError(`${name}, line ${wrong}`, `expected the id ${wrong}`);
    }
    return lines.length;
  });
}

/**
 * Reads a file. If `read` throws, the error also says how to find an undamaged file, or which program can read the file. For a file of
 * lines, each wrong line gives an error.
 */
function withRemedy<T>(file: File, read: (text: string | undefined, file: File) => T): T {
  const { root, name } = file;
  try {
    return read(readIfThere(join(root, name), name)?.toString(), file);
  } catch (error) {
    const later = findLaterProgram(root);
    const remedy =
      later === undefined
        ? `Correct it, or restore it from a commit that "git log -- ${name}" lists: git restore --source=<commit> -- ${name}`
        : `The last run used release-index ${later}, and this is ${manifest.version}. Install ${later} or later`;
    const bySubject = Map.groupBy(readProblems(error), ({ subject }) => subject);
    throw new InputError(
      Array.from(bySubject, ([subject, problems]) => {
        const messages = problems.map(({ message }) => message).join('; ');
        return { subject, message: `${endSentence(messages)} ${remedy}`, file: name };
      }),
    );
  }
}

/** Returns the version of the program that wrote the last run, if it is later than this program. */
function findLaterProgram(root: string): string | undefined {
  const name = listPaths(root, 'runs/*.ndjson').at(-1);
  const lastLine = name && readWhole({ root, name }).trimEnd().split('\n').at(-1);
  // A later program may write other keys, so only this key is read.
  const [, program = null] = /"program":"([^"]+)"/.exec(lastLine ?? '') ?? [];
  return valid(program) && gt(program!, manifest.version) ? program! : undefined;
}

/** Returns the complete lines of a file. Leaves out a last line that a crash cut off. The next run writes that line again. */
function readWhole({ root, name }: File): string {
  const text = readIfThere(join(root, name), name)?.toString() ?? '';
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

/** Lists the files that `saveFile` has not finished. */
function listParts(root: string): string[] {
  return listPaths(root, '**/*.part').filter((name) => /\.\d+\.part$/.test(name));
}

/** Lists the paths below `data/` that match a pattern. */
function listPaths(root: string, pattern: string): string[] {
  return globSync(`data/${pattern}`, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}

function saveJson({ root, name }: File, document: unknown): void {
  saveFile(join(root, name), formatJson(document));
}

function saveLines({ root, name }: File, values: readonly unknown[]): void {
  const added = values.map((value) => `${JSON.stringify(value)}\n`);
  saveFile(join(root, name), readWhole({ root, name }) + added.join(''));
}

/** Appends a line to a file. Throws if the line does not fit the schema. Such a line would stop every later run. */
function saveLine<T>(file: File, schema: z.ZodType<T>, value: T): void {
  parseDocument(schema, value, file.name);
  saveLines(file, [value]);
}
