import { accessSync, constants } from 'node:fs';
import pLimit from 'p-limit';
import { dropUndefined, pickDefined } from '../../core/model/objects.ts';
import { InputError, inputError, problem, type Finding } from '../../core/schemas/finding.ts';
import type { Wait } from '../../core/schemas/recorded/journal.ts';
import { formatCount } from '../../core/text/wording.ts';
import {
  describeFileError,
  explainFileError,
  isAbsent,
  readIfThere,
} from '../../io/files/file-system.ts';
import { readFreshness, readRecordedData } from '../../io/files/recorded-files.ts';
import {
  lock,
  listLeftovers,
  removeLeftovers,
  formatDocument,
  saveUnlessMoved,
} from '../../io/files/save.ts';
import { recordedFolder, freshnessPath, recordedPath, type Root } from '../../io/files/root.ts';
import { readDefinition } from '../read-definition.ts';
import { describeUnexpectedError, type GatherContext } from './ask-source.ts';
import type { GatherInput } from './check-source.ts';
import { isSameData } from './recorded-form.ts';
import { askSources, keepDocuments, uniteAnswers, type GatherResult } from './gather-component.ts';
import { toRecordedFreshness } from '../../core/schemas/recorded/freshness.ts';
import { RecordedData, type RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { unwrapResult } from '../../io/files/read-documents.ts';

/** How many components are gathered at the same time: few enough for memory, many because slow registries keep some waiting. */
const atATime = 256;

interface GatherRun extends Omit<GatherContext, 'runEnd'>, SaveTarget {
  signal: AbortSignal;
  /** Whether the gate judges and saves the results. */
  savesLater: boolean;
  /** The changes that wait for a person since the last run. */
  waits: readonly Wait[];
  /** The ids of decisions of people. */
  accepted: ReadonlySet<string>;
  /** Why nothing may be recorded for the day, once upstreams have answered. The caller reports it once for all components. */
  findWrongClock(): Finding | undefined;
  onFinished(result: GatherResult): void;
}

export interface Gathered {
  /** The finished components, in the given order. */
  results: GatherResult[];
  /** Why a component's files could not be read or written. */
  unsaved: Finding[];
}

/** Gathers and saves components. A component that cannot be saved does not affect others. */
export async function gatherAll(components: readonly string[], run: GatherRun): Promise<Gathered> {
  await cleanUp(run.root);

  const context = { ...run, runEnd: performance.now() + run.budgets.runMs };
  const outcomes = await pLimit(atATime).map(components, async (component) => {
    try {
      const result = await gatherOne(component, context);
      if (result) {
        run.onFinished(result);
      }
      return { results: result ? [result] : [], unsaved: [] };
    } catch (error) {
      return { results: [], unsaved: explainUnsaved(component, error) };
    }
  });

  return {
    results: outcomes.flatMap(({ results }) => results),
    unsaved: outcomes.flatMap(({ unsaved }) => unsaved),
  };
}

/** Undefined if nothing may be recorded: the run was stopped, which is no failure of a source, or its clock is wrong. */
async function gatherOne(
  component: string,
  run: GatherRun & GatherContext,
): Promise<GatherResult | undefined> {
  const { root, day, signal, accepted, waits } = run;
  if (signal.aborted) {
    return undefined;
  }

  const input = readGatherInput(root, component);
  const answers = await askSources(input, run);
  const isStopped = answers.outcomes.some(({ kind }) => kind === 'aborted');
  if (isStopped || run.findWrongClock()) {
    return undefined;
  }

  const { definition } = input;
  const unite: Unite = (recorded) =>
    uniteAnswers({ component, definition, ...recorded, waits, accepted }, answers, day);
  const result = run.savesLater ? unite(input) : await saveGathered(run, component, unite);
  keepDocuments(answers, result);
  return result;
}

/** Throws an InputError with the problems of all files. */
function readGatherInput(root: Root, component: string) {
  const definition = readDefinition(root, component);
  const recorded = readRecordedData(root, component);
  const freshness = readFreshness(root, component);
  if (!definition.value || !recorded.value || !freshness.value) {
    throw new InputError([definition, recorded, freshness].flatMap(({ findings }) => findings));
  }

  return { component, definition: definition.value, ...recorded.value, freshness: freshness.value };
}

function explainUnsaved(component: string, error: unknown): readonly Finding[] {
  if (error instanceof InputError) {
    return error.findings;
  }

  const refusal = describeFileError(error);
  const { reason, stack } =
    refusal === undefined ? describeUnexpectedError(error) : { reason: refusal };
  const message = `${reason}. ${unsavedWords}`;
  return [dropUndefined({ ...problem(component, message), file: `data/${component}.json`, stack })];
}

/** Removes temporary files of killed runs in `data/`. Throws an InputError if the folder is not writable. */
async function cleanUp(root: Root): Promise<void> {
  const dataFolder = recordedFolder(root);
  try {
    accessSync(isAbsent(dataFolder) ? root.dir : dataFolder, constants.W_OK);
  } catch (error) {
    const reason = `cannot be written: ${explainFileError(error) ?? String(error)}. No source was asked`;
    throw inputError(dataFolder, reason);
  }

  const folders = [dataFolder, recordedFolder(root, 'freshness')];
  if (folders.every((folder) => listLeftovers(folder).length === 0)) {
    return;
  }

  using _lock = await lock(root, 'data');
  for (const folder of folders) {
    removeLeftovers(folder);
  }
}

/** With more components, the log has a hundred lines. */
const maxLines = 500;

/** A function to call with each finished component, which prints the progress of the run. */
export function createProgress(
  total: number,
  print: (text: string) => void,
): (result: GatherResult) => void {
  const step = total > maxLines ? Math.ceil(total / 100) : 1;
  let finished = 0;
  return (result) => {
    finished += 1;

    if (finished % step === 0 || finished === total) {
      print(`gather ${finished}/${total} ${result.component}: ${describeResult(result)}`);
    }
  };
}

function describeResult({ sources, changes, releases }: GatherResult): string {
  const parts = [formatCount(releases.length, 'release')];
  if (changes.length > 0) {
    parts.push(formatCount(changes.length, 'change'));
  }

  const failed = sources.filter(({ kind }) => kind === 'failed').length;
  if (failed > 0) {
    parts.push(`${failed} of ${formatCount(sources.length, 'source')} failed`);
  }

  return parts.join(', ');
}

/** The index to save in. */
interface SaveTarget {
  root: Root;
  whyReject?: WhyReject;
}

/** Why these releases must not be saved, for instance because a file made from them is too large for the host. */
export type WhyReject = (
  component: string,
  releases: readonly RecordedRelease[],
) => string | undefined;

/** Merges the answers of a component's sources with its recorded data. */
export type Unite = (recorded: Recorded) => GatherResult;

type Recorded = RecordedData & Pick<GatherInput, 'freshness'>;

/** What is recorded of a component. Throws an InputError for an unreadable file. */
export function readRecorded(root: Root, component: string): Recorded {
  const freshness = unwrapResult(readFreshness(root, component));
  return { ...unwrapResult(readRecordedData(root, component)), freshness };
}

const unsavedWords = 'Not saved; what was recorded before is unchanged.';

/**
 * The new content of a data file; undefined for the same data, so a file written by hand keeps its form. A first file has news
 * even if no source answered: readers ignore freshness without it. Throws an InputError for data that must not be saved.
 */
export function formatNews(
  component: string,
  before: RecordedData | undefined,
  after: RecordedData,
  whyReject: WhyReject | undefined,
): string | undefined {
  if (before && isSameData(before, after)) {
    return undefined;
  }

  // No later run could start with a file that the schema rejects.
  const data = RecordedData.parse(after);
  const rejection = whyReject?.(component, data.releases);
  if (rejection !== undefined) {
    throw inputError(component, `${rejection}. ${unsavedWords}`);
  }

  return formatDocument(data);
}

/** The components of a run wait here instead of polling the lock. */
const oneAtATime = pLimit(1);

/**
 * Merges the answers with the recorded data of a component, saves and returns the result. Reads the files under a lock, so
 * concurrent runs lose nothing. A run that was suspended for longer than its lock lasts replaces no file and tries again. Throws
 * an InputError rather than overwrite an unreadable file.
 */
export function saveGathered(
  target: SaveTarget,
  component: string,
  unite: Unite,
): Promise<GatherResult> {
  return oneAtATime(async () => {
    using _lock = await lock(target.root, 'data');
    for (;;) {
      const saved = trySave(target, component, unite);
      if (saved) {
        return saved;
      }
    }
  });
}

/** Undefined if another run has written meanwhile. */
function trySave(
  { root, whyReject }: SaveTarget,
  component: string,
  unite: Unite,
): GatherResult | undefined {
  const dataPath = recordedPath(root, component);
  const dataBytes = readIfThere(dataPath);
  const path = freshnessPath(root, component);
  const freshnessBytes = readIfThere(path);
  const recorded = readRecorded(root, component);
  const result = unite(recorded);
  const { freshness: _, ...before } = recorded;
  const after = pickDefined(result, ['releases', 'advisories', 'lines']);
  const news = formatNews(component, dataBytes && before, after, whyReject);
  const content = news ?? String(dataBytes);
  const files = [{ path: dataPath, before: dataBytes, content }];

  // After the first publishing run, only such runs save freshness: branches with gathered data merge without conflicts.
  if (isAbsent(recordedFolder(root, 'runs')) && result.sources.length > 0) {
    const content = formatDocument(toRecordedFreshness(result.freshness));
    files.push({ path, before: freshnessBytes, content });
  }

  return saveUnlessMoved(files) ? result : undefined;
}
