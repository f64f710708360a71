import { randomInt } from 'node:crypto';
import { isError, warning, type Finding } from '../../core/schemas/finding.ts';
import { counted, defined } from '../../core/text.ts';
import { headOf } from '../../io/files/git.ts';
import { readFreshness } from '../../io/files/read.ts';
import { listComponents } from '../../io/files/root.ts';
import { programVersion } from '../../io/program.ts';
import { holdEdits } from '../../deliver/check/held-edits.ts';
import { recordJournal, type Recorded, type RecordOptions } from '../../record/record-journal.ts';
import { loadComponent } from '../../site/load-component.ts';
import { flag, shared, type Command, type Invocation } from '../command.ts';

export const command: Command = {
  options: { accept: flag('take edits that wait for a person'), ...shared('root', 'as-of') },
  details: [
    'Compares definitions, data and the day with data/journal/, appends the differences, and writes the run to data/runs/.',
    'Needs no network. Changes, feeds and the stream of the site are made from the journal alone, so that an edit of a',
    'definition is reported from the next run on. "daily" does this by itself. A day before the last recorded one changes nothing.',
    'An edit that deprecates a fifth of the supported releases at once, or leaves no latest one, waits in data/held/ for --accept.',
  ],
  examples: [['record', 'after an edit, where no daily run does it']],
  run,
};

/** Appends to the journal what is new in the index. */
async function run(invocation: Invocation): Promise<number> {
  const { report, day } = invocation;
  const { events, findings, refusal } = await runRecord(invocation, new Date(), 'record');
  const count = [...events.values()].reduce((sum, of) => sum + of.length, 0);
  report.document({
    verb: 'record',
    asOf: day,
    events: count,
    components: Object.fromEntries(Array.from(events, ([name, of]) => [name, of.length])),
    ...(refusal !== undefined && { refusal }),
    findings,
  });
  return findings.some(isError) ? 1 : 0;
}

/**
 * The same as a step of a longer run. A component whose files are broken is left out, with the findings that say why.
 * `isAccepted`: whether a person has accepted the edit of a component.
 */
export async function runRecord(
  invocation: Invocation,
  startedAt: Date,
  verb: string,
  isAccepted: (component: string) => boolean = () => invocation.options['accept'] === true,
): Promise<Recorded> {
  const { root, day, report } = invocation;
  const { names } = listComponents(root);
  const broken: Finding[] = holdEdits(invocation, isAccepted);
  const recorded = await recordJournal({
    root,
    day,
    names,
    judge(name) {
      const { component, findings } = loadComponent(root, name, day);
      if (!component) broken.push(...findings.filter(({ file = '' }) => !file.startsWith('data/journal/')));
      return component;
    },
    now: () => new Date(),
    run: { ...runFacts(invocation, verb), startedAt: startedAt.toISOString(), ...askedOn(invocation, names) },
  });
  const findings = [...broken, ...recorded.findings];
  report.finding(...findings);
  if (recorded.refusal !== undefined) report.finding(warning('record', recorded.refusal));
  for (const [name, events] of recorded.events)
    report.print(`${name}: ${counted(events.length, 'event')} recorded.`);
  if (recorded.events.size === 0 && recorded.refusal === undefined) report.print('record: nothing new.');
  return { ...recorded, findings };
}

function runFacts({ root, env, options }: Invocation, verb: string) {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  const id = Array.from({ length: 13 }, () => letters[randomInt(letters.length)]).join('');
  const npm = /\bnpm\/(\d\S*)/.exec(env['npm_config_user_agent'] ?? '')?.[1];
  const commit = headOf(root.dir, env);
  // Without their values, which may be paths of the machine.
  const given = Object.keys(options).filter((name) => options[name] !== undefined && options[name] !== false);
  return {
    id,
    requested: [verb, ...given.map((name) => `--${name}`)],
    program: programVersion(),
    node: process.versions.node,
    ...defined({ npm, commit }),
  };
}

/** The sources that were asked on the day: those that answered, failed or are held. */
function askedOn(
  { root, day }: Invocation,
  names: readonly string[],
): Pick<RecordOptions['run'], 'components' | 'asked' | 'answered' | 'troubles'> {
  const sources = names.flatMap((component) => {
    const known = Object.entries(readFreshness(root, component).value?.sources ?? {});
    return known.map(([source, freshness]) => ({ component, source, ...freshness }));
  });
  const troubles = sources.flatMap(({ component, source, failedOn, heldSince, reason }) => {
    if (failedOn !== day && heldSince === undefined) return [];
    const kind = heldSince === undefined ? ('failed' as const) : ('held' as const);
    return { component, source, kind, reason: reason ?? 'no reason recorded' };
  });
  const sound = sources.filter(
    ({ answeredOn, failedOn, heldSince }) =>
      answeredOn === day && failedOn !== day && heldSince === undefined,
  );
  const answered: Record<string, string[]> = {};
  for (const { component, source } of sound) (answered[component] ??= []).push(source);
  return {
    components: names.length,
    asked: sources.filter(({ answeredOn, failedOn }) => answeredOn === day || failedOn === day).length,
    ...(sound.length > 0 && { answered }),
    ...(troubles.length > 0 && { troubles }),
  };
}
