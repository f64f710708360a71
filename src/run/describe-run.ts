import { randomInt } from 'node:crypto';
import { availableParallelism, type } from 'node:os';
import { dropEmpty } from '../core/model/objects.ts';
import type { Run } from '../core/schemas/recorded/runs.ts';
import type { Wait } from '../core/schemas/recorded/waits.ts';
import { toLine } from '../core/text/foreign-text.ts';
import type { PublicRun } from '../deliver/publish/live.ts';
import { readHead } from '../io/files/git.ts';
import { listComponents, type Root } from '../io/files/root.ts';
import { programVersion } from '../io/program.ts';
import type { GatherResult } from '../record/gather/unite-answers.ts';
import type { RunFacts } from '../record/journal/record-journal.ts';
import type { RunContext } from './run-context.ts';

/** How a run began, and the answers that it got. */
export interface StartedRun extends Pick<RunContext, 'env'> {
  startedAt: Date;
  /** The verb and the names of its options, without values. */
  requested: readonly string[];
  publicRun?: PublicRun | undefined;
  gathered?: readonly GatherResult[];
}

/** The index after a run, and its decisions. */
export interface RunOutcome {
  /** The index to publish, with the last good files of components that wait. */
  root: Root;
  waits: readonly Wait[];
  /** The ids of the decisions that this run used. */
  used: readonly string[];
}

/** The line of a run in `data/runs/`, except for its events. */
export function describeRun(
  { env, requested, startedAt, publicRun, gathered = [] }: StartedRun,
  { root, waits, used }: RunOutcome,
): RunFacts {
  return {
    // 13 random digits and lower-case letters.
    id: Array.from({ length: 13 }, () => randomInt(36).toString(36)).join(''),
    requested: [...requested],
    program: programVersion,
    node: process.versions.node,
    // `npm/11.6.2 node/v24.11.1 linux x64`
    npm: /\bnpm\/(\d[\w.+-]{0,63})/.exec(env['npm_config_user_agent'] ?? '')?.[1],
    projectName: toLine(env['npm_package_name'] ?? '') || undefined,
    operatingSystem: type(),
    numberOfCpuCores: availableParallelism(),
    nodeLocale: new Intl.DateTimeFormat().resolvedOptions().locale,
    commit: readHead(root.dir, env),
    startedAt: startedAt.toISOString(),
    ...publicRun,
    accepted: dropEmpty(used),
    waits: dropEmpty(waits),
    ...countAnswers(root, gathered),
  };
}

/** The number of asked sources and of sound answers, and the sources that failed. */
function countAnswers(
  root: Root,
  gathered: readonly GatherResult[],
): Pick<Run, 'components' | 'asked' | 'answered' | 'unasked' | 'troubles'> {
  const troubles: NonNullable<Run['troubles']> = [];
  const unasked = new Set(listComponents(root).names);
  const total = unasked.size;
  let asked = 0;

  for (const { component, sources } of gathered) {
    unasked.delete(component);
    asked += sources.length;

    for (const source of sources) {
      if (source.kind !== 'answered') {
        const { id, kind, reason, at } = source;
        troubles.push({ component, source: id, kind, reason: toLine(reason), at });
      }
    }
  }

  return {
    components: total,
    asked,
    answered: asked > 0 ? asked - troubles.length : undefined,
    unasked: asked > 0 ? dropEmpty([...unasked]) : undefined,
    troubles: dropEmpty(troubles),
  };
}
