import { accessSync, constants } from 'node:fs';
import pLimit from 'p-limit';
import { dropUndefined } from '../../core/model/objects.ts';
import { InputError, inputError, problem, type Finding } from '../../core/schemas/finding.ts';
import type { Wait } from '../../core/schemas/recorded/waits.ts';
import { describeFileError, explainFileError, isAbsent } from '../../io/files/file-system.ts';
import { unwrapResult } from '../../io/files/read-documents.ts';
import { lock } from '../../io/files/lock.ts';
import { removeLeftovers } from '../../io/files/save.ts';
import { recordedFile, recordedFolder, type Root } from '../../io/files/root.ts';
import { readDefinition } from '../read-definition.ts';
import type { GatherContext } from './ask-source.ts';
import { askSources, keepDocuments } from './ask-sources.ts';
import { describeUnexpectedError, isStop } from './source-failure.ts';
import { budgets } from './source-session.ts';
import { uniteAnswers, type GatherResult } from './unite-answers.ts';
import {
  readRecorded,
  saveGathered,
  unsavedWords,
  type SaveTarget,
  type Unite,
} from './save-gathered.ts';

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
  /** Prints the progress of the run. */
  onProgress(text: string): void;
}

export type Gathered = Awaited<ReturnType<typeof gatherAll>>;

/** Gathers components, and saves each unless the gate does so later. One that cannot be read or saved does not affect others. */
export async function gatherAll(components: readonly string[], run: GatherRun) {
  await cleanUp(run.root);

  const context = { ...run, runEnd: performance.now() + budgets.runMs };
  let finished = 0;
  const outcomes = await pLimit(atATime).map(components, async (component) => {
    try {
      const result = await gatherOne(component, context);
      if (result) {
        finished += 1;
        run.onProgress(`gather ${finished}/${components.length} ${component}`);
      }
      return { result };
    } catch (error) {
      return isStop(error) ? {} : { unsaved: explainUnsaved(component, error) };
    }
  });

  return {
    /** The finished components, in the given order. */
    results: outcomes.flatMap(({ result }) => result ?? []),
    /** Why a component's files could not be read or written. */
    unsaved: outcomes.flatMap(({ unsaved }) => unsaved ?? []),
  };
}

/** Undefined if nothing may be recorded: the run was stopped before, or its clock is wrong. */
async function gatherOne(
  component: string,
  run: GatherRun & GatherContext,
): Promise<GatherResult | undefined> {
  const { root, day, signal, accepted, waits } = run;
  if (signal.aborted) {
    return undefined;
  }

  const read = readDefinition(root, component);
  const recorded = readRecorded(root, component, read.findings);
  const definition = unwrapResult(read);
  const input = { component, definition, ...recorded };
  const outcomes = await askSources(input, run);
  if (run.findWrongClock()) {
    return undefined;
  }

  const unite: Unite = (present) =>
    uniteAnswers({ component, definition, ...present, waits, accepted }, outcomes, day);
  const result = run.savesLater ? unite(input) : await saveGathered(run, component, unite);
  keepDocuments(outcomes, result.sources);
  return result;
}

function explainUnsaved(component: string, error: unknown): readonly Finding[] {
  if (error instanceof InputError) {
    return error.findings;
  }

  const fileReason = describeFileError(error);
  const { reason, stack } =
    fileReason === undefined ? describeUnexpectedError(error) : { reason: fileReason };
  const message = `${reason}. ${unsavedWords}`;
  return [dropUndefined({ ...problem(component, message), file: recordedFile(component), stack })];
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

  using _lock = await lock(root, 'data');
  removeLeftovers(dataFolder);
  removeLeftovers(recordedFolder(root, 'freshness'));
}
