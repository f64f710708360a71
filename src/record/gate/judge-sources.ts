import { isDeepStrictEqual } from 'node:util';
import type { Day } from '../../core/model/dates.ts';
import { InputError, problem, type Finding } from '../../core/schemas/finding.ts';
import type { Freshness } from '../../core/schemas/recorded/freshness.ts';
import { recordedFreshness } from '../../core/schemas/recorded/freshness.ts';
import { RecordedData } from '../../core/schemas/recorded/recorded.ts';
import { pick } from '../../core/text/text.ts';
import { foldJournal } from '../../decide/fold-journal.ts';
import { readJournal } from '../../io/files/journal-files.ts';
import { valueOf } from '../../io/files/read-documents.ts';
import { readFreshness, readRecordedData } from '../../io/files/read.ts';
import { freshnessPath, recordedPath } from '../../io/files/root.ts';
import { formatDocument, saveIfChanged } from '../../io/files/save.ts';
import { judgeRecorded } from '../../decide/judge-recorded.ts';
import type { GatherResult } from '../gather/gather-component.ts';
import { inRecordedForm, isWhole } from '../gather/recorded-release.ts';
import { describeChange } from '../journal/events/describe-change.ts';
import { readDefinition } from '../read-definition.ts';
import { findLastAcceptedOn, listOpenDecisions } from './open-decisions.ts';
import type { JudgedEdits } from './judge-edits.ts';
import { judgeGathered, type GatheredChange } from './judge-gathered.ts';
import type { WaitingChange } from './rules/decision-id.ts';
import { applyEvents } from './rules/reader-state.ts';

/** What sources state, judged and saved. */
export interface JudgedSources {
  readonly waiting: readonly WaitingChange[];
  readonly used: readonly string[];
  /** Components that could not be saved. */
  readonly findings: readonly Finding[];
}

interface SourcesInput {
  readonly day: Day;
  readonly edits: JudgedEdits;
  readonly gathered: readonly GatherResult[];
  /** Why these releases must not be saved, for instance because a file made from them is too large for the host. */
  readonly rejectionOf?: (
    component: string,
    releases: RecordedData['releases'],
  ) => string | undefined;
}

/** Judges what was gathered after the edits of people, and saves what counts. Expects the lock for data. */
export function judgeSources(input: SourcesInput): JudgedSources {
  const { edits, gathered } = input;
  const earlier = edits.lastRun?.waits ?? [];
  const waiting: WaitingChange[] = [];
  const used: string[] = [];
  const findings: Finding[] = [];

  for (const result of gathered) {
    try {
      const judged = judgeResult(input, result, earlier);
      waiting.push(...judged.waiting);
      used.push(...judged.used);
    } catch (error) {
      if (!(error instanceof InputError)) {
        throw error;
      }

      findings.push(...error.findings);
    }
  }

  // What sources state of a component that was not asked is unknown.
  const asked = new Set(gathered.map(({ component }) => component));
  const isUnasked = ({ component, commit, dataCommit, kind }: WaitingChange) =>
    !asked.has(component) && kind !== 'files' && commit === undefined && dataCommit === undefined;

  waiting.push(...earlier.filter(isUnasked));

  return { waiting, used, findings };
}

function judgeResult(input: SourcesInput, result: GatherResult, earlier: readonly WaitingChange[]) {
  const { edits, rejectionOf } = input;
  const { root } = edits;
  const { component: name, shortLists, accepted } = result;
  const change = readChange(input, result, earlier);
  const isSame = change.earlier.length === 0 && isSameData(change.before.data, change.after.data);
  const verdict = isSame
    ? { data: change.before.data, waiting: [], used: [] }
    : judgeGathered(change);
  const isNews = !isSame && !isSameData(change.before.data, verdict.data);
  const data = isNews ? RecordedData.parse(inOrder(verdict.data)) : verdict.data;
  const rejection = isNews ? rejectionOf?.(name, data.releases) : undefined;

  if (rejection !== undefined) {
    const message = `${rejection}. Not saved; what was recorded before is unchanged.`;
    throw new InputError([problem(name, message)]);
  }

  if (isNews) {
    saveIfChanged(recordedPath(root, name), formatDocument(data));
  }

  if (result.sources.length > 0) {
    const freshness = formatDocument(recordedFreshness(result.freshness));
    saveIfChanged(freshnessPath(root, name), freshness);
  }

  const silentLists = earlier.filter(
    ({ component, kind, causes, id }) =>
      component === name &&
      kind === 'list' &&
      change.silent.has(causes[0]!) &&
      !shortLists.some((list) => list.causes[0] === causes[0]) &&
      !accepted.some((one) => one.id === id),
  );

  return {
    waiting: [...verdict.waiting, ...shortLists, ...silentLists],
    used: [...verdict.used, ...accepted.map(({ id }) => id)],
  };
}

/** A file written by hand may have another order. */
function isSameData(before: RecordedData, after: RecordedData): boolean {
  return isDeepStrictEqual(inOrder(before), inOrder(after));
}

function inOrder(data: RecordedData): RecordedData {
  return { ...data, releases: inRecordedForm(data.releases) };
}

/** Throws an InputError where files cannot be read. */
function readChange(
  { edits, day }: SourcesInput,
  result: GatherResult,
  waits: readonly WaitingChange[],
): GatheredChange {
  const { root, lastRun } = edits;
  const { component: name } = result;
  const definition = valueOf(readDefinition(root, name));
  const recorded = valueOf(readRecordedData(root, name));
  const freshness = valueOf(readFreshness(root, name));
  const journal = valueOf(readJournal(root, name)).values;
  const earlier = waits.filter(
    ({ component, commit }) => component === name && commit === undefined,
  );
  const told = foldJournal(journal);
  const judged = judgeRecorded(name, definition, recorded, day);

  return {
    name,
    day,
    told: applyEvents(told, describeChange(told, judged, day)),
    journal,
    definition,
    before: { data: recorded },
    after: { definition, data: pick(result, ['releases', 'advisories', 'lines']) as RecordedData },
    expected: listExpected(result),
    accepted: listOpenDecisions(root, lastRun?.used ?? []),
    acceptedOn: findLastAcceptedOn(lastRun?.used ?? [], name),
    freshness: { before: freshness, after: result.freshness },
    rejectedDays: result.rejectedDays,
    incomplete: listIncomplete(recorded, freshness, earlier),
    silent: new Set(result.sources.filter(({ kind }) => kind !== 'answered').map(({ id }) => id)),
    earlier,
  };
}

/** What a decision or a source withdrew. */
function listExpected({ accepted, withdrawnAdvisories }: GatherResult): Set<string> {
  return new Set([...accepted.flatMap(({ withdrawn }) => withdrawn), ...withdrawnAdvisories]);
}

/** The sources whose last answer had releases that are neither recorded nor waiting: the data may have been restored. */
function listIncomplete(
  { releases }: RecordedData,
  { sources }: Freshness,
  earlier: readonly WaitingChange[],
): Set<string> {
  const waiting = earlier.flatMap(({ versions = [] }) => versions);
  const incomplete = new Set<string>();

  for (const [source, state] of Object.entries(sources)) {
    if (!isWhole(releases, source, state, waiting)) {
      incomplete.add(source);
    }
  }

  return incomplete;
}
