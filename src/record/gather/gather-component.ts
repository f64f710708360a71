import type { Day } from '../../core/model/dates.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { hasEnded } from '../../core/model/phases.ts';
import { compareVersions, parseVersion } from '../../core/model/version.ts';
import type { Definition } from '../../core/schemas/definition/definition.ts';
import {
  createSupportSourceId,
  listSourceIds,
  mapSourcesById,
  removeAddress,
  type Source,
  type SupportSource,
} from '../../core/schemas/definition/source.ts';
import { notice, type Finding } from '../../core/schemas/finding.ts';
import type { Freshness } from '../../core/schemas/recorded/freshness.ts';
import type { Wait } from '../../core/schemas/recorded/journal.ts';
import type {
  RecordedAdvisory,
  RecordedLine,
  RecordedRelease,
} from '../../core/schemas/recorded/recorded.ts';
import { endSentence, formatCount } from '../../core/text/wording.ts';
import { listWaitingVersions } from '../../io/files/run-files.ts';
import { continueWait, type WaitingChange } from '../gate/rules/decision-id.ts';
import { findAdapter, listOsvPackages, findSupportAdapter } from '../sources/index.ts';
import {
  askSource,
  type Adapter,
  type Answered,
  type AskContext,
  type GatherContext,
  type SourceOutcome,
} from './ask-source.ts';
import {
  findFirstListOutliers,
  findPulledReleases,
  limitFindings,
  listUndated,
  type ReportedComponent,
} from './gather-findings.ts';
import { asksOsv, listWithdrawnAdvisories, uniteAdvisories } from './merge-advisories.ts';
import type { RecordedChange } from './merge-values.ts';
import { mergeAnswers, type Merged } from './merge.ts';
import { leaveOutMovingTags } from './moving-tags.ts';
import { countNames, findShortList } from './short-lists.ts';
import { readAnswer, type SoundAnswer } from './sound-answer.ts';
import { updateFreshness, type SourceState } from './update-freshness.ts';

/** A component with its recorded data. */
export interface GatherInput extends ReportedComponent {
  lines?: readonly RecordedLine[] | undefined;
  advisories?: readonly RecordedAdvisory[] | undefined;
  freshness: Freshness;
  /** The changes that waited after the last run. */
  waits?: readonly Wait[];
  /** The ids of decisions of people. */
  accepted?: ReadonlySet<string>;
}

export interface GatherResult {
  component: string;
  /** The ids of advisories that their source states as withdrawn. */
  withdrawnAdvisories: string[];
  releases: RecordedRelease[];
  /** By id. */
  advisories?: RecordedAdvisory[] | undefined;
  /** Oldest first. */
  lines?: RecordedLine[] | undefined;
  freshness: Freshness;
  changes: RecordedChange[];
  sources: SourceState[];
  findings: Finding[];
  /** Sources without release days, in the run that first lists their releases. */
  undated: Finding[];
  /** The stated days of new versions that were rejected, as an earlier answer lacked the version. */
  rejectedDays: ReadonlyMap<string, Day>;
  /** The lists that wait for a person. */
  shortLists: readonly WaitingChange[];
  /** The short lists that became the measure of their sources. */
  accepted: readonly AcceptedList[];
}

/** A short list that a person has accepted. */
interface AcceptedList {
  source: string;
  id: string;
  /** The versions that the decision withdrew. */
  withdrawn: readonly string[];
}

/** The answers of all sources of a component, before they are accepted. */
interface Answers {
  outcomes: SourceOutcome[];
  findings: Finding[];
}

/** A source of a definition, of releases or of release lines, with what is recorded of it. */
type AskedSource = Pick<
  AskContext,
  'id' | 'acceptsPrereleases' | 'listsLines' | 'recorded' | 'freshness'
> & { source: Source | SupportSource; adapter: Adapter };

function listAskedSources(input: GatherInput, urls: readonly string[] = []): AskedSource[] {
  const { definition, freshness, releases } = input;
  const { sources, support, prereleases } = definition;
  const catalogues = definition.advisories || asksOsv(definition) ? urls : [];
  const askable = [...sources, ...catalogues.map((url) => ({ datasource: 'exploited', url }))];

  const askedSources = Array.from(mapSourcesById<Source>(askable), ([id, source]): AskedSource => ({
    id,
    source,
    adapter: findAdapter(source),
    acceptsPrereleases: prereleases === true,
    recorded: releases,
    freshness: freshness.sources[id],
  }));

  const id = createSupportSourceId(support);

  if (support?.policy === 'stated' && id !== undefined) {
    askedSources.push({
      id,
      source: support.source,
      adapter: findSupportAdapter(support.source),
      acceptsPrereleases: true,
      listsLines: true,
      recorded: toReleases(input, id),
      freshness: freshness.sources[id],
    });
  }

  return askedSources;
}

/** Asks all sources of a component concurrently. No upstream can make it throw. */
export async function askSources(input: GatherInput, context: GatherContext): Promise<Answers> {
  const { component, definition } = input;
  const findings: Finding[] = [];
  const shared = {
    ...context,
    packages: listOsvPackages(definition.sources),
    report(message: string, kind = message) {
      findings.push({ level: 'warning', subject: component, message, kind });
    },
  };

  const outcomes = listAskedSources(input, context.catalogues).map(
    ({ source, adapter, ...asked }) => askSource(source, adapter, { ...shared, ...asked }),
  );
  return { outcomes: await Promise.all(outcomes), findings };
}

/** The release lines of a source, in the form of recorded releases. */
function toReleases({ lines = [] }: GatherInput, id: string): RecordedRelease[] {
  return lines
    .filter(({ source }) => source === id)
    .map(({ line, source }) => ({ version: line, source }));
}

/** Whether support of the whole component is over. */
function isRetired({ support }: Definition, day: Day): boolean {
  return (
    support?.policy === 'ended' && hasEnded({ until: support.until, isOver: true }, day) === true
  );
}

/** Merges all sound answers into the recorded data. */
export function uniteAnswers(input: GatherInput, answers: Answers, day: Day): GatherResult {
  const { component, releases: recorded, definition } = input;
  const outcomes = answers.outcomes.filter((outcome) => outcome.kind !== 'aborted');
  const answered = outcomes.filter((outcome) => outcome.kind === 'answered');
  const checked = outcomes.map((outcome) => checkSource(input, outcome, day));
  const states = checked.map(({ state }) => state);
  const lines = uniteLines(input, answered);

  const merged = mergeAnswers({
    component,
    recorded,
    missing: input.freshness.missing ?? {},
    sources: listSourceIds(definition.sources),
    answers: checked.flatMap(({ answer }) => answer ?? []),
    isRetired: isRetired(definition, day),
    day,
  });

  return {
    component,
    releases: merged.releases,
    advisories: uniteAdvisories(definition, input.advisories, answered, day),
    lines: lines.length > 0 ? lines : undefined,
    freshness: updateFreshness(input.freshness, states, day, merged),
    changes: merged.changes,
    sources: states,
    withdrawnAdvisories: listWithdrawnAdvisories(answered),
    findings: limitFindings([
      ...answers.findings,
      ...checked.flatMap(({ findings }) => findings),
      ...merged.findings,
      ...findPulledReleases(input, merged.changes),
      ...findFirstListOutliers(input, merged.releases),
    ]),
    undated: listUndated(input, merged),
    rejectedDays: new Map(checked.flatMap(({ rejectedDays = [] }) => [...rejectedDays])),
    shortLists: checked.flatMap(({ shortList }) => shortList ?? []),
    accepted: listAcceptedLists(checked, merged),
  };
}

/** What a source contributes after its answer was checked. */
interface CheckedSource {
  state: SourceState;
  findings: readonly Finding[];
  /** Undefined for a failure, and for a source of release lines. */
  answer?: SoundAnswer;
  /** The stated days of new versions that were rejected. */
  rejectedDays?: ReadonlyMap<string, Day>;
  /** The list, where it waits for a person. */
  shortList?: WaitingChange;
  /** The decision that accepted a short list. */
  decision?: string | undefined;
}

function checkSource(
  input: GatherInput,
  outcome: Exclude<SourceOutcome, { kind: 'aborted' }>,
  day: Day,
): CheckedSource {
  if (outcome.kind === 'failed') {
    return describeFailure(input, outcome);
  }

  const list = checkList(input, outcome, day);
  if (outcome.lines) {
    return list;
  }

  const { component, releases: recorded, waits = [] } = input;
  const freshness = input.freshness.sources[outcome.id];
  const waiting = listWaitingVersions(waits, component);
  const { releases, note } = leaveOutMovingTags(outcome, recorded);
  const history = { component, recorded, freshness, waiting };
  const read = readAnswer({ ...outcome, releases }, history);
  const notes = note === undefined ? [] : [notice(component, note)];
  return {
    ...list,
    answer: { ...read.answer, absence: findAbsence(list, outcome) },
    rejectedDays: read.rejectedDays,
    findings: [...list.findings, ...notes, ...read.findings],
  };
}

type Failure = Omit<Extract<SourceOutcome, { kind: 'failed' }>, 'kind'> & {
  pending?: readonly string[];
};

/** A failed source, with what stays recorded. */
function describeFailure(
  { component, releases, lines = [], definition }: GatherInput,
  { id, reason, cause, stack, pending }: Failure,
): CheckedSource {
  const isOfLines = id === createSupportSourceId(definition.support);
  const consequence = isOfLines
    ? describeKept(lines.length, 'release line')
    : describeKept(releases.length, 'release');

  const finding: Finding = {
    level: stack === undefined ? 'warning' : 'error',
    subject: `${component} (${removeAddress(id)})`,
    message: `${endSentence(reason)} ${consequence}`,
    file: `components/${component}.json`,
    cause,
    stack,
  };
  const at = new Date().toISOString();
  return { state: { id, kind: 'failed', reason, cause, pending, at }, findings: [finding] };
}

function describeKept(count: number, noun: string): string {
  if (count === 0) {
    return `No ${noun} of it is recorded yet.`;
  }

  return count === 1
    ? `Kept the recorded ${noun}.`
    : `Kept all ${formatCount(count, `recorded ${noun}`)}.`;
}

/** A list that lacks too much is a failure until a person accepts it. The releases that it lists are still recorded. */
function checkList(input: GatherInput, outcome: Answered, day: Day): CheckedSource {
  const { component, releases: recorded, accepted = new Set(), waits = [] } = input;
  const { id, definition, pending } = outcome;
  const freshness = input.freshness.sources[id];
  const shortList = findShortList(outcome, { component, recorded, freshness, day });
  const { waiting, decision } = shortList ? continueWait(shortList, waits, accepted) : {};

  if (waiting && decision === undefined) {
    const { reason } = waiting;
    return { ...describeFailure(input, { id, reason, pending }), shortList: waiting };
  }

  outcome.keep?.();
  const state = { id, kind: 'answered', definition, names: countNames(outcome), pending } as const;
  return { state, findings: [], decision };
}

/** The meaning of the versions that a list lacks. */
function findAbsence(
  { shortList, decision }: CheckedSource,
  { onlyAdds }: Answered,
): SoundAnswer['absence'] {
  if (shortList) {
    return 'ignored';
  }

  return decision === undefined || onlyAdds ? undefined : 'accepted';
}

/** The short lists that a person has accepted, with the versions that are withdrawn with them. */
function listAcceptedLists(checked: readonly CheckedSource[], { dropped }: Merged): AcceptedList[] {
  const lists: AcceptedList[] = [];
  for (const { state, decision } of checked) {
    if (decision !== undefined) {
      const source = state.id;
      lists.push({ source, id: decision, withdrawn: dropped.get(source) ?? [] });
    }
  }

  return lists;
}

/** The recorded release lines with those that sources state now, oldest first. Lines that are no longer stated stay unchanged. */
function uniteLines({ lines = [] }: GatherInput, answered: readonly Answered[]): RecordedLine[] {
  const stating = answered.filter((answer) => answer.lines);
  if (stating.length === 0) {
    return [...lines];
  }

  const byKey = new Map(lines.map((line) => [`${line.source} ${line.line}`, line]));
  for (const { id: source, lines: statedLines = [], about } of stating) {
    for (const line of statedLines) {
      byKey.set(`${source} ${line.line}`, dropUndefined({ ...line, source, about }));
    }
  }

  // Only versions are admitted as names of lines.
  return [...byKey.values()].sort((a, b) =>
    compareVersions(parseVersion(a.line)!, parseVersion(b.line)!),
  );
}
