import pLimit from 'p-limit';
import type { Finding } from '../../core/schemas/finding.ts';
import { BrokenFileError } from '../../io/files/documents.ts';
import { describeFileError } from '../../io/files/file-system.ts';
import { readFreshness, readRecorded } from '../../io/files/read.ts';
import { readDefinition } from '../definition.ts';
import type { Root } from '../../io/files/root.ts';
import { defined } from '../../core/text.ts';
import { unforeseen } from './ask.ts';
import {
  askSources,
  uniteAnswers,
  type GatherContext,
  type GatherInput,
  type GatherResult,
} from './gather-component.ts';
import { startRun } from './budgets.ts';
import { cleanUp, saveGathered, type Target } from './save-gathered.ts';

/**
 * Components that are gathered at the same time. The limit is for memory; it is generous, because those of a slow registry
 * hold their places while they wait, and must leave room for others.
 */
const atATime = 256;

export interface GatherRun extends Omit<GatherContext, 'runEnd'>, Target {
  signal: AbortSignal;
  onFinished(result: GatherResult): void;
}

export interface Gathered {
  /** By name of component; only those that were finished. */
  results: GatherResult[];
  /** Why a component's files could not be read or written. */
  unsaved: Finding[];
}

/** Gathers and saves. A component that cannot be saved costs no other its update. */
export async function gatherAll(components: readonly string[], run: GatherRun): Promise<Gathered> {
  await cleanUp(run.root);
  const gathered: Gathered = { results: [], unsaved: [] };
  const limit = pLimit(atATime);
  const context = { ...run, runEnd: startRun(run.budgets) };
  await Promise.all(components.map((component) => limit(() => gatherOne(component, context, gathered))));
  gathered.results.sort((a, b) => (a.component < b.component ? -1 : 1));
  gathered.unsaved.sort((a, b) => (a.subject < b.subject ? -1 : 1));
  return gathered;
}

/** Leaves out the component where the run was told to stop: a source that was cut short has not failed. */
async function gatherOne(
  component: string,
  run: GatherRun & GatherContext,
  { results, unsaved }: Gathered,
): Promise<void> {
  const { root, signal } = run;
  if (signal.aborted) return;
  try {
    const input = readInput(root, component);
    const answers = await askSources(input, run);
    if (answers.outcomes.some((outcome) => outcome.kind === 'aborted')) return;
    const first = uniteAnswers(input, answers, run);
    const result = await saveGathered(run, input, first, (fresh) => uniteAnswers(fresh, answers, run));
    results.push(result);
    run.onFinished(result);
  } catch (error) {
    unsaved.push(...whyUnsaved(component, error));
  }
}

/** Throws a BrokenFileError with the problems of all files. */
function readInput(root: Root, component: string): GatherInput {
  const definition = readDefinition(root, component);
  const recorded = readRecorded(root, component);
  const freshness = readFreshness(root, component);
  if (!definition.value || !recorded.value || !freshness.value)
    throw new BrokenFileError([definition, recorded, freshness].flatMap(({ findings }) => findings));
  return {
    component,
    definition: definition.value,
    recorded: recorded.value,
    freshness: freshness.value,
  };
}

/** Throws what only a bug throws. */
function whyUnsaved(component: string, error: unknown): readonly Finding[] {
  if (error instanceof BrokenFileError) return error.findings;
  const refusal = describeFileError(error);
  const { reason, stack } = refusal === undefined ? unforeseen(error) : { reason: refusal };
  const message = `${reason}. Not saved; what was recorded before is unchanged.`;
  return [
    defined({ level: 'error' as const, subject: component, message, file: `data/${component}.json`, stack }),
  ];
}
