import { randomInt } from 'node:crypto';
import { availableParallelism, type } from 'node:os';
import type { Run } from '../core/schemas/recorded/runs.ts';
import type { Wait } from '../core/schemas/recorded/waits.ts';
import { toLine } from '../core/text/foreign-text.ts';
import type { PublicRun } from '../deliver/publish/live.ts';
import { readHead } from '../io/files/git.ts';
import { listComponents, type Root } from '../io/files/root.ts';
import { programVersion } from '../io/program.ts';
import type { GatherResult } from '../record/gather/unite-answers.ts';
import type { RecordOptions } from '../record/journal/record-journal.ts';

/** A run as somebody started it. */
export interface RequestedRun {
  env: NodeJS.ProcessEnv;
  startedAt: Date;
  /** The verb and the names of its options, without values. */
  requested: readonly string[];
  publicRun?: PublicRun | undefined;
  gathered?: readonly GatherResult[];
}

/** The index after a run, with the changes that wait and the ids of the decisions that it used. */
interface Outcome {
  root: Root;
  waits: readonly Wait[];
  used: readonly string[];
}

/** The line of a run in `data/runs/`, except for its events. */
export function describeRun(
  { env, requested, startedAt, publicRun, gathered = [] }: RequestedRun,
  { root, waits, used }: Outcome,
): RecordOptions['run'] {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  const id = Array.from({ length: 13 }, () => letters[randomInt(letters.length)]).join('');
  const npm = /\bnpm\/(\d\S*)/.exec(env['npm_config_user_agent'] ?? '')?.[1];

  return {
    id,
    requested: [...requested],
    program: programVersion,
    node: process.versions.node,
    npm,
    projectName: toLine(env['npm_package_name'] ?? '') || undefined,
    operatingSystem: type(),
    numberOfCpuCores: availableParallelism(),
    nodeLocale: new Intl.DateTimeFormat().resolvedOptions().locale,
    commit: readHead(root.dir, env),
    startedAt: startedAt.toISOString(),
    ...publicRun,
    accepted: used.length > 0 ? [...used] : undefined,
    waits: waits.length > 0 ? [...waits] : undefined,
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
    unasked: asked > 0 && unasked.size > 0 ? [...unasked] : undefined,
    troubles: troubles.length > 0 ? troubles : undefined,
  };
}
