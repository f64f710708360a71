import { rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Day } from '../../core/model/dates.ts';
import { fileProblem, InputError, isError, type Finding } from '../../core/schemas/finding.ts';
import {
  freshnessAsOf,
  RecordedFreshness,
  type Freshness,
} from '../../core/schemas/recorded/freshness.ts';
import type { HeldChange } from '../../core/schemas/recorded/held.ts';
import { RecordedData } from '../../core/schemas/recorded/recorded.ts';
import { listed, sentence } from '../../core/text/text.ts';
import type { ComponentChange, DefinitionEdit, Verdict } from './rules/component-change.ts';
import { judgeChange } from './rules/judge-change.ts';
import { isEdit } from '../../decide/component-freshness.ts';
import { acceptCommand } from '../../decide/sentences.ts';
import { readDocument, valueOf } from '../../io/files/read-documents.ts';
import { heldPath, readDecisions } from '../../io/files/held-file.ts';
import { lastAskedOn, readJournal } from '../../io/files/journal-files.ts';
import { lock } from '../../io/files/lock.ts';
import { readFreshness, readRecordedData, readSiteConfig } from '../../io/files/read.ts';
import { definitionPath, listComponents, recordedPath, type Root } from '../../io/files/root.ts';
import { formatDocument, saveIfChanged } from '../../io/files/save.ts';
import { lastAcceptedOn, openDecisions } from './decisions.ts';
import { readDefaultsAt, readWrittenAt } from '../read-definition.ts';
import { inRecordedForm, isWhole } from '../gather/recorded-release.ts';
import { goodCommits, readAt, readLastGood, type LastGood } from './last-good.ts';
import { complete, listEdits } from './list-edits.ts';

interface GateInput {
  readonly root: Root;
  readonly env: NodeJS.ProcessEnv;
  readonly day: Day;
  /** The components whose sources this run asked. */
  readonly asked?: ReadonlySet<string>;
  /** Components whose files cannot be read. */
  readonly damaged?: readonly HeldChange[];
}

interface Gated {
  readonly verdicts: readonly Verdict[];
  readonly held: readonly HeldChange[];
  readonly findings: Finding[];
}

/** Judges every changed component as a whole, and holds those that would take too much from readers. Each has a finding. */
export async function runGate(input: GateInput): Promise<Gated> {
  const release = await lock(input.root, 'data');
  try {
    const gated = judgeChanges(input);
    hold(input.root, gated);

    return { ...gated, findings: [...gated.findings, ...heldFindings(gated.held)] };
  } finally {
    release();
  }
}

/** The decisions of the gate, without writing files. Throws an InputError if there is no state to compare with. */
export function judgeChanges(input: GateInput): Gated {
  const { root, env, damaged = [] } = input;
  const { lastGood, findings } = readLastGood(root, env);
  if (findings.some(isError)) {
    throw new InputError(findings);
  }

  if (!lastGood) {
    return { verdicts: [], held: damaged, findings };
  }

  const verdicts: Verdict[] = [];

  for (const name of listComponents(root).names) {
    const change = readChange(input, lastGood, name);
    if (change) {
      verdicts.push(judgeChange(change));
    }
  }

  const held = [
    ...verdicts.flatMap((verdict) => verdict.held),
    ...damaged.map((entry) => sinceFirstSeen(entry, lastGood)),
  ];

  return { verdicts, held: held.sort(byId), findings };
}

/** A component that waited before its files were damaged goes on waiting, at the same commit. */
function sinceFirstSeen(entry: HeldChange, { held }: LastGood): HeldChange {
  const { since = entry.since } = held.find(({ id }) => id === entry.id) ?? {};
  const waiting = held.find((one) => one.component === entry.component && one.commit);
  const commit = waiting?.commit ?? entry.commit;

  return { ...entry, since, ...(commit !== undefined && { commit }) };
}

function byId(a: HeldChange, b: HeldChange): number {
  return a.id < b.id ? -1 : 1;
}

/** Undefined if the component is unchanged, new, or has unusable files. */
function readChange(
  { root, env, day, asked }: GateInput,
  lastGood: LastGood,
  name: string,
): ComponentChange | undefined {
  const { held, changed, used } = lastGood;
  const askedOn = asked?.has(name) ? day : undefined;
  const earlier = held.filter(({ component }) => component === name);
  const files = [`components/${name}.json`, 'site/site.json', `data/${name}.json`];
  if (earlier.length === 0 && !files.some((file) => changed.has(file))) {
    return undefined;
  }

  const commits = goodCommits(root, env, lastGood, name);
  const { before, after, edits } = readDefinitionsOf(root, name, commits.definition);
  const data = readRecordedData(root, name).value;
  const freshness = readFreshness(root, name, askedOn).value;
  const nameThen = formerName(root, name, commits.data);
  const dataBefore = readAt(root, commits.data, `data/${nameThen}.json`, RecordedData);
  if (!before || !after || !data || !freshness || !dataBefore) {
    return undefined;
  }

  if (earlier.length === 0 && isDeepStrictEqual([before, dataBefore], [after, data])) {
    return undefined;
  }

  const file = `data/freshness/${nameThen}.json`;
  const then = readAt(root, commits.data, file, RecordedFreshness) ?? { sources: {} };
  const freshnessBefore = freshnessAsOf(then, lastAskedOn(root, nameThen));
  const decisions = valueOf(readDecisions(root)).values;

  return {
    name,
    day,
    journal: journalOf(root, [name, nameThen]),
    before: { definition: before, data: dataBefore },
    after: { definition: after, data },
    commit: commits.definition,
    edits,
    freshness: { before: freshnessBefore, after: freshness },
    incomplete: incompleteSources(dataBefore, freshnessBefore, earlier),
    silent: silentSources(freshness, askedOn !== undefined),
    earlier,
    accepted: openDecisions(decisions, used),
    acceptedOn: lastAcceptedOn(used, name),
  };
}

/** The last good definition, the new one, and the edits between them. */
function readDefinitionsOf(root: Root, name: string, commit: string) {
  const path = definitionPath(root, name);
  const current = readDocument(path, `components/${name}.json`, z.unknown()).value;

  const before = {
    written: readWrittenAt(root, name, commit),
    defaults: readDefaultsAt(root, commit),
  };

  const after = { written: current, defaults: { ...readSiteConfig(root).value?.defaults } };

  return {
    before: complete(name, before),
    after: complete(name, after),
    edits: listEdits(name, commit, before, after),
  };
}

/** The name that a renamed component had in a commit. */
function formerName(root: Root, name: string, commit: string): string {
  const path = definitionPath(root, name);
  const Renamed = z.looseObject({ renamedFrom: z.array(z.string()).optional() });
  const { renamedFrom = [] } = readDocument(path, name, Renamed).value ?? {};
  const names = [name, ...renamedFrom.toReversed()];

  return names.find((one) => readAt(root, commit, `data/${one}.json`, z.unknown())) ?? name;
}

function journalOf(root: Root, names: readonly string[]) {
  for (const name of names) {
    const events = readJournal(root, name).value?.values ?? [];
    if (events.length > 0) {
      return events;
    }
  }

  return [];
}

/** The sources whose last answer had releases that are neither recorded nor waiting: the data may have been restored. */
function incompleteSources(
  { releases }: RecordedData,
  { sources }: Freshness,
  earlier: readonly HeldChange[],
): Set<string> {
  const waiting = earlier.flatMap(({ versions = [] }) => versions);
  const all = Object.entries(sources);
  const incomplete = all.filter(([source, state]) => !isWhole(releases, source, state, waiting));

  return new Set(incomplete.map(([source]) => source));
}

/** The sources that have not answered in this run: what they state is unknown. */
function silentSources({ sources }: Freshness, isAsked: boolean): Set<string> {
  const silent = Object.entries(sources).filter(([, { reason }]) => !isAsked || reason);
  return new Set(silent.map(([source]) => source));
}

/** Writes the data that counts, and what waits. */
function hold(root: Root, { verdicts, held }: Gated): void {
  for (const { name, data } of verdicts) {
    const present = readRecordedData(root, name).value;
    const counting = inOrder(data);

    // A file written by hand may have another order.
    if (!present || !isDeepStrictEqual(inOrder(present), counting)) {
      saveIfChanged(recordedPath(root, name), formatDocument(RecordedData.parse(counting)));
    }
  }

  if (held.length > 0) {
    saveIfChanged(heldPath(root), formatDocument({ held }));
  } else {
    rmSync(heldPath(root), { force: true });
  }
}

function inOrder(data: RecordedData): RecordedData {
  return { ...data, releases: inRecordedForm(data.releases) };
}

/** One finding for each cause, with the components that wait for it. */
export function heldFindings(held: readonly HeldChange[]): Finding[] {
  const byCause = Map.groupBy(held, ({ kind, causes }) => JSON.stringify([kind, causes]));
  return [...byCause.values()].map(heldFinding);
}

function heldFinding(held: readonly HeldChange[]): Finding {
  const { kind, causes, reason, commit } = held[0]!;
  const [first = '', ...others] = causes;
  const components = held.map(({ component }) => component);
  const isOwnFile = isEdit(first) && !first.startsWith('site/');
  const subject = isOwnFile ? first : `${first} of ${listed(components, 5)}`;
  const also = others.length > 0 ? ` Also by ${others.join(', ')}.` : '';

  if (kind === 'files') {
    return fileProblem(subject, `waits: ${sentence(reason)}${also}`, 'warning');
  }

  const state = commit === undefined ? '' : ' Readers keep what they had.';
  const command = acceptCommand({ id: held.map(({ id }) => id).join(' ') });
  const message = `waits: ${sentence(reason)}${also}${state} If this is right: ${command}`;

  return fileProblem(subject, message, 'warning');
}

/** The decisions that let something through, for the line of the run. */
export function usedDecisions({ verdicts }: Gated): string[] | undefined {
  const used = verdicts.flatMap((verdict) => verdict.used);
  return used.length > 0 ? used.sort() : undefined;
}

/** The edits that count, by component. */
export function acceptedEdits({ verdicts }: Gated): Map<string, readonly DefinitionEdit[]> {
  return new Map(verdicts.map(({ name, edits }) => [name, edits]));
}
