import pLimit from 'p-limit';
import { InputError, problem, type Finding } from '../../core/schemas/finding.ts';
import { describeFileError } from '../../io/files/file-system.ts';
import { readFreshness, readRecordedData } from '../../io/files/read.ts';
import { readDefinition } from '../read-definition.ts';
import type { Root } from '../../io/files/root.ts';
import { counted, defined } from '../../core/text/text.ts';
import { unexpectedError, type GatherContext } from './ask-source.ts';
import {
  askSources,
  uniteAnswers,
  type GatherInput,
  type GatherResult,
} from './gather-component.ts';
import { cleanUp, saveGathered, type Target } from './save-gathered.ts';

/**
 * Components gathered at the same time. Limits memory, but is large because components of a slow registry hold their places while
 * they wait.
 */
const atATime = 256;

interface GatherRun extends Omit<GatherContext, 'runEnd'>, Target {
  signal: AbortSignal;
  /** Whether the gate judges and saves the results. */
  savesLater: boolean;
  /** The ids of decisions of people. */
  accepted: ReadonlySet<string>;
  /** Why to record nothing for the day, once upstreams have answered. */
  wrongClock?(): Finding | undefined;
  onFinished(result: GatherResult): void;
}

export interface Gathered {
  /** The finished components, by name. */
  results: GatherResult[];
  /** Why a component's files could not be read or written. */
  unsaved: Finding[];
}

/** Gathers and saves components. A component that cannot be saved does not affect others. */
export async function gatherAll(components: readonly string[], run: GatherRun): Promise<Gathered> {
  await cleanUp(run.root);

  const gathered: Gathered = { results: [], unsaved: [] };
  const limit = pLimit(atATime);
  const context = { ...run, runEnd: performance.now() + run.budgets.runMs };
  await Promise.all(
    components.map((component) => limit(() => gatherOne(component, context, gathered))),
  );
  gathered.results.sort((a, b) => (a.component < b.component ? -1 : 1));
  gathered.unsaved.sort((a, b) => (a.subject < b.subject ? -1 : 1));

  return gathered;
}

/** Leaves out the component if the run was stopped: an interrupted source has not failed. */
async function gatherOne(
  component: string,
  run: GatherRun & GatherContext,
  { results, unsaved }: Gathered,
): Promise<void> {
  const { root, signal } = run;
  if (signal.aborted) {
    return;
  }

  try {
    const input = readGatherInput(root, component);
    const answers = await askSources(input, run);
    if (answers.outcomes.some((outcome) => outcome.kind === 'aborted')) {
      return;
    }

    // The caller reports it once for all components.
    if (run.wrongClock?.()) {
      return;
    }

    const { definition } = input;
    const { accepted } = run;
    const { waits = [] } = run.root;
    const result = run.savesLater
      ? uniteAnswers({ ...input, waits, accepted }, answers, run.day)
      : await saveGathered(run, component, (recorded) =>
          uniteAnswers({ component, definition, ...recorded, waits, accepted }, answers, run.day),
        );

    results.push(result);
    run.onFinished(result);
  } catch (error) {
    unsaved.push(...whyUnsaved(component, error));
  }
}

/** Throws an InputError with the problems of all files. */
function readGatherInput(root: Root, component: string): GatherInput {
  const definition = readDefinition(root, component);
  const recorded = readRecordedData(root, component);
  const freshness = readFreshness(root, component);
  if (!definition.value || !recorded.value || !freshness.value) {
    throw new InputError([definition, recorded, freshness].flatMap(({ findings }) => findings));
  }

  return { component, definition: definition.value, ...recorded.value, freshness: freshness.value };
}

function whyUnsaved(component: string, error: unknown): readonly Finding[] {
  if (error instanceof InputError) {
    return error.findings;
  }

  const refusal = describeFileError(error);
  const { reason, stack } = refusal === undefined ? unexpectedError(error) : { reason: refusal };
  const message = `${reason}. Not saved; what was recorded before is unchanged.`;
  return [defined({ ...problem(component, message), file: `data/${component}.json`, stack })];
}

/** With more components, the log has a hundred lines. */
const maxLines = 500;

/** Prints the progress of the run. */
export function createProgress(
  all: number,
  print: (text: string) => void,
): (result: GatherResult) => void {
  const step = all > maxLines ? Math.ceil(all / 100) : 1;
  let done = 0;

  return (result) => {
    done += 1;

    if (done % step === 0 || done === all) {
      print(`gather ${done}/${all} ${result.component}: ${describeResult(result)}`);
    }
  };
}

function describeResult({ sources, changes, releases }: GatherResult): string {
  const parts = [counted(releases.length, 'release')];
  if (changes.length > 0) {
    parts.push(counted(changes.length, 'change'));
  }

  const failed = sources.filter(({ kind }) => kind === 'failed').length;
  if (failed > 0) {
    parts.push(`${failed} of ${counted(sources.length, 'source')} failed`);
  }

  return parts.join(', ');
}
