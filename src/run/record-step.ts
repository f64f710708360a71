import { randomInt } from 'node:crypto';
import { availableParallelism, type } from 'node:os';
import { toDay, type Day } from '../core/model/dates.ts';
import {
  isError,
  problem,
  inputError,
  throwErrors,
  type Finding,
} from '../core/schemas/finding.ts';
import type { Run } from '../core/schemas/recorded/journal.ts';
import type { HeldChange } from '../core/schemas/recorded/held.ts';
import { counted, toLine } from '../core/text/text.ts';
import { headOf } from '../io/files/git.ts';
import { readSiteConfig } from '../io/files/read.ts';
import { listComponents, type Root } from '../io/files/root.ts';
import { findFutureDays, findFutureLines } from '../deliver/check/future-days.ts';
import { programVersion } from '../io/program.ts';
import type { FullDefinition } from '../record/read-definition.ts';
import { runGate, acceptedEdits, usedDecisions } from '../record/gate/gate.ts';
import type { GatherResult } from '../record/gather/gather-component.ts';
import { recordStatements } from '../record/journal/record-statements.ts';
import type { Component } from '../decide/component.ts';
import {
  recordJournal,
  type Recorded,
  type RecordOptions,
} from '../record/journal/record-journal.ts';
import { loadComponent } from '../site/load-component.ts';
import type { RunReport, RunContext } from './run-context.ts';

/** The newest run that is public, and since when. */
type PublicRun = Pick<Run, 'published' | 'publishedAt'>;

interface RecordInput extends Pick<RunContext, 'root' | 'day' | 'env' | 'report'> {
  readonly startedAt: Date;
  /** The verb and the names of its options, without values. */
  readonly requested: readonly string[];
  /** The newest public run, if known. */
  readonly publicRun?: PublicRun | undefined;
  readonly gathered?: readonly GatherResult[];
  /** Components whose files cannot be read. */
  readonly damaged?: readonly HeldChange[];
}

/** Judges and appends to the journal, as a step of a longer run. Leaves out components with broken files, with findings. */
export async function record(
  input: RecordInput,
): Promise<Recorded & { held: readonly HeldChange[] }> {
  const { startedAt, publicRun, gathered = [], damaged = [] } = input;
  const { root, day, env, report } = input;
  const today = toDay(new Date());

  // A line of a future day would block every run until then.
  if (day > today) {
    throw inputError(
      'record',
      `expected a day up to today, ${today}; got ${day}. Nothing was recorded`,
    );
  }

  throwErrors(findFutureLines(root, today));

  const { names } = listComponents(root);
  const asked = new Set(gathered.map(({ component }) => component));
  const gated = await runGate({ root, env, day, asked, damaged });
  const { held, findings: broken } = gated;
  const components: Component[] = [];

  const judge = (name: string) => {
    const { component, findings } = judgeComponent(root, name, day, today);

    broken.push(...findings);

    if (component) {
      components.push(component);
    }

    return component;
  };

  const recorded = await recordJournal({
    root,
    day,
    names,
    judge,
    edits: acceptedEdits(gated),
    judgeBy(name, definition) {
      const instead = {
        definition: { value: definition as FullDefinition, findings: [], inherited: [] },
      };
      return loadComponent(root, name, day, instead).component;
    },
    now: () => new Date(),
    run: {
      ...runFacts(input),
      startedAt: startedAt.toISOString(),
      ...publicRun,
      accepted: usedDecisions(gated),
      ...askedBy(root, gathered, names, held),
    },
  });

  if (recorded.refusal === undefined) {
    broken.push(...signedStatements(root, components, day));
  }

  const refused = recorded.refusal === undefined ? [] : [problem('record', recorded.refusal)];
  const findings = [...broken, ...recorded.findings, ...refused];

  report.finding(...findings);

  return { ...recorded, findings, held };
}

/** Undefined for a component with unusable files, or with days after today. */
function judgeComponent(
  root: Root,
  name: string,
  day: Day,
  today: Day,
): { component?: Component | undefined; findings: readonly Finding[] } {
  const future = findFutureDays(root, name, today);
  if (future.some(isError)) {
    return { findings: future };
  }

  const { component, findings } = loadComponent(root, name, day);
  if (component) {
    return { component, findings: future };
  }

  // The journal is reported when it is read.
  const ofFiles = findings.filter(({ file = '' }) => !file.startsWith('data/journal/'));

  return { findings: [...future, ...ofFiles] };
}

/** Records the statements to sign: only a site with a key publishes them. */
function signedStatements(root: Root, components: readonly Component[], day: Day): Finding[] {
  if (readSiteConfig(root).value?.signingPublicKey === undefined) {
    return [];
  }

  return components.flatMap((component) => recordStatements(root, component, day));
}

/** Prints how many events each component has. */
export function printRecorded(report: RunReport, { events, refusal }: Recorded): void {
  for (const [name, ofComponent] of events) {
    report.print(`${name}: ${counted(ofComponent.length, 'event')} recorded.`);
  }

  if (events.size === 0 && refusal === undefined) {
    report.print('record: nothing new.');
  }
}

function runFacts({ root, env, requested }: RecordInput) {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  const id = Array.from({ length: 13 }, () => letters[randomInt(letters.length)]).join('');
  const npm = /\bnpm\/(\d\S*)/.exec(env['npm_config_user_agent'] ?? '')?.[1];
  const commit = headOf(root.dir, env);

  return {
    id,
    requested: [...requested],
    program: programVersion(),
    node: process.versions.node,
    npm,
    projectName: env['npm_package_name'],
    operatingSystem: type(),
    numberOfCpuCores: availableParallelism(),
    nodeLocale: new Intl.DateTimeFormat().resolvedOptions().locale,
    commit,
  };
}

/** The number of asked sources and of sound answers, and the sources that failed or are held. A run that asked none has none. */
function askedBy(
  root: Root,
  gathered: readonly GatherResult[],
  names: readonly string[],
  held: readonly HeldChange[],
): Pick<RecordOptions['run'], 'components' | 'asked' | 'answered' | 'unasked' | 'troubles'> {
  const states = gathered.flatMap(({ component, sources }) =>
    sources.map((state) => ({ component, state })),
  );

  const failed = states
    .map(({ component, state }) => {
      if (state.kind === 'answered') {
        return undefined;
      }

      const { id: source, kind, reason, at } = state;

      return { component, source, kind, reason: toLine(reason), at };
    })
    .filter((value) => value !== undefined);

  const waiting = held.flatMap(({ component, causes, reason }) =>
    causes.map((source) => ({ component, source, kind: 'held' as const, reason })),
  );
  const reached = new Set(gathered.map(({ component }) => component));
  const unasked = [...names, ...(root.damaged?.keys() ?? [])].filter((name) => !reached.has(name));
  const isAnyAsked = states.length > 0;
  const troubles = isAnyAsked ? [...failed, ...waiting] : [];

  return {
    components: names.length,
    asked: states.length,
    answered: isAnyAsked ? states.length - failed.length : undefined,
    unasked: isAnyAsked && unasked.length > 0 ? unasked : undefined,
    troubles: troubles.length > 0 ? troubles : undefined,
  };
}
