import type { Day } from '../../core/model/dates.ts';
import { dropUndefined, pick } from '../../core/model/objects.ts';
import { hasEnded } from '../../core/model/phases.ts';
import {
  compareVersions,
  isPrereleaseForm,
  parseVersion,
  sortVersions,
  type Version,
} from '../../core/model/version.ts';
import type { Definition } from '../../core/schemas/definition/definition.ts';
import {
  isCatalogueId,
  listSourceIds,
  mapSourcesById,
  createSupportSourceId,
  removeAddress,
  type Source,
  type SupportSource,
} from '../../core/schemas/definition/source.ts';
import { notice, warning, type Finding } from '../../core/schemas/finding.ts';
import type { Freshness } from '../../core/schemas/recorded/freshness.ts';
import type { Wait } from '../../core/schemas/recorded/journal.ts';
import type {
  RecordedAdvisory,
  RecordedLine,
  RecordedRelease,
  StatedLine,
} from '../../core/schemas/recorded/recorded.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import { endSentence, formatCount } from '../../core/text/wording.ts';
import { listNames } from '../../decide/advisories.ts';
import { findUndatedSources } from '../../decide/undated-sources.ts';
import { listWaitingVersions } from '../../io/files/journal-files.ts';
import { keepDecision, type WaitingChange } from '../gate/rules/decision-id.ts';
import { findFirstOutliers } from '../gate/rules/outliers.ts';
import type { StatedAdvisories } from '../sources/datasource.ts';
import { findAdapter, listOsvPackages, findSupportAdapter } from '../sources/index.ts';
import {
  askSource,
  type Adapter,
  type Answered,
  type AskContext,
  type GatherContext,
  type SourceOutcome,
} from './ask-source.ts';
import type { RecordedChange } from './merge-values.ts';
import { mergeAnswers, type Merged } from './merge.ts';
import {
  countNames,
  findShortList,
  readAnswer,
  type AcceptedList,
  type SoundAnswer,
} from './sound-answer.ts';
import { updateFreshness, type SourceState } from './update-freshness.ts';

/** A component with its recorded data. */
export interface GatherInput {
  component: string;
  definition: Definition;
  releases: readonly RecordedRelease[];
  advisories?: readonly RecordedAdvisory[] | undefined;
  lines?: readonly RecordedLine[] | undefined;
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

function asksOsv({ sources }: Definition): boolean {
  return sources.some(({ datasource }) => datasource === 'osv');
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

/** The accepted parts of the answers of a component's sources, collected source by source. */
interface Collected {
  readonly findings: Finding[];
  readonly states: SourceState[];
  readonly sound: SoundAnswer[];
  readonly rejectedDays: Map<string, Day>;
  readonly shortLists: WaitingChange[];
  /** The decisions that accepted a short list, by source. */
  readonly acceptedLists: Map<string, string>;
  advisories: GatherInput['advisories'];
  lines: GatherInput['lines'];
}

/** Merges all sound answers into the recorded data. */
export function uniteAnswers(input: GatherInput, answers: Answers, day: Day): GatherResult {
  const { component, releases: recorded, definition } = input;

  const collected: Collected = {
    findings: [...answers.findings],
    states: [],
    sound: [],
    rejectedDays: new Map(),
    shortLists: [],
    acceptedLists: new Map(),
    advisories: input.advisories,
    lines: input.lines,
  };

  for (const outcome of answers.outcomes) {
    if (outcome.kind === 'failed') {
      collected.states.push({
        ...pick(outcome, ['id', 'kind', 'reason', 'cause']),
        at: new Date().toISOString(),
      });
      collected.findings.push(createFailure(input, outcome));
    } else if (outcome.kind === 'answered') {
      collectAnswer(input, outcome, day, collected);
    }
  }

  const { findings, states, sound, advisories, lines } = collected;
  const merged = mergeAnswers({
    component,
    recorded,
    missing: input.freshness.missing ?? {},
    sources: listSourceIds(definition.sources),
    answers: sound,
    isRetired: isRetired(definition, day),
    day,
  });

  return {
    component,
    releases: merged.releases,
    advisories: advisories && [...advisories],
    lines: lines?.length ? [...lines] : undefined,
    freshness: updateFreshness(input.freshness, states, day, merged),
    changes: merged.changes,
    sources: states,
    withdrawnAdvisories: listWithdrawnAdvisories(answers.outcomes),
    findings: limitFindings([
      ...findings,
      ...merged.findings,
      ...findPulledReleases(input, merged.changes),
      ...findFirstListOutliers(input, merged.releases),
    ]),
    undated: listUndated(input, merged),
    rejectedDays: collected.rejectedDays,
    shortLists: collected.shortLists,
    accepted: Array.from(collected.acceptedLists, ([source, id]) => {
      return { source, id, withdrawn: merged.dropped.get(source) ?? [] };
    }),
  };
}

/** Collects an answer. A list that lacks too much is a failure, but the releases that it lists are collected. */
function collectAnswer(
  input: GatherInput,
  outcome: Answered,
  day: Day,
  collected: Collected,
): void {
  const { component, releases: recorded, waits = [] } = input;
  const { id, lines, about, advisories } = outcome;
  const absence = collectState(input, outcome, day, collected);
  if (lines) {
    collected.lines = mergeLines(collected.lines ?? [], lines, { source: id, about });
    return;
  }

  const freshness = input.freshness.sources[id];
  const waiting = listWaitingVersions(waits, component);
  const history = { component, recorded, freshness, waiting };
  const { answer, rejectedDays, findings } = readAnswer(outcome, history);
  collected.findings.push(...findings);
  collected.sound.push({ ...answer, absence });
  for (const [version, rejectedDay] of rejectedDays) {
    collected.rejectedDays.set(version, rejectedDay);
  }

  const newAdvisories =
    advisories && isCatalogueId(id)
      ? selectEntries(input.definition, collected.advisories, advisories, day)
      : advisories;
  if (newAdvisories) {
    collected.advisories = mergeAdvisories(collected.advisories ?? [], newAdvisories, id);
  }
}

/** Collects the state of a source. Returns the meaning of the versions that its list lacks. */
function collectState(
  input: GatherInput,
  outcome: Answered,
  day: Day,
  collected: Collected,
): SoundAnswer['absence'] {
  const { component, releases: recorded, accepted = new Set(), waits = [] } = input;
  const { id, definition, pending } = outcome;
  const freshness = input.freshness.sources[id];
  const shortList = findShortList(outcome, { component, recorded, freshness, day });
  const wait = shortList && keepDecision(shortList, waits);
  const decision = wait && [shortList.id, wait.id].find((decisionId) => accepted.has(decisionId));

  if (wait && decision === undefined) {
    const failure = { id, kind: 'failed' as const, reason: wait.reason };
    collected.shortLists.push(wait);
    collected.states.push({ ...failure, pending, at: new Date().toISOString() });
    collected.findings.push(createFailure(input, failure));
    return 'ignored';
  }

  const facts = { definition, names: countNames(outcome), pending };
  collected.states.push({ id, kind: 'answered', accepted: facts });
  outcome.keep();
  if (decision === undefined) {
    return undefined;
  }

  collected.acceptedLists.set(id, decision);
  return outcome.onlyAdds ? undefined : 'accepted';
}

/** Updates recorded release lines with a source's statements, oldest first. Lines that it no longer states stay unchanged. */
function mergeLines(
  recorded: readonly RecordedLine[],
  lines: readonly StatedLine[],
  { source, about }: Pick<RecordedLine, 'source' | 'about'>,
): RecordedLine[] {
  const statedByLine = new Map(lines.map((line) => [line.line, line]));
  const merged = recorded.map((entry) => {
    const line = entry.source === source ? statedByLine.get(entry.line) : undefined;
    if (!line) {
      return entry;
    }

    statedByLine.delete(entry.line);
    return dropUndefined({ ...line, source, about });
  });
  const added = [...statedByLine.values()].map((line) => dropUndefined({ ...line, source, about }));
  return [...merged, ...added].sort((a, b) =>
    compareVersions(parseVersion(a.line)!, parseVersion(b.line)!),
  );
}

/** The ids of advisories that their source states as withdrawn. */
function listWithdrawnAdvisories(outcomes: readonly SourceOutcome[]): string[] {
  const answered = outcomes.filter((outcome) => outcome.kind === 'answered');
  const statements = answered.flatMap(({ advisories }) => [...(advisories?.byId ?? [])]);
  return statements.filter(([, statement]) => statement === 'withdrawn').map(([id]) => id);
}

/** The new entries of a catalogue about advisories of the component. Recorded entries stay. */
function selectEntries(
  definition: Definition,
  recorded: readonly RecordedAdvisory[] | undefined,
  { byId }: StatedAdvisories,
  day: Day,
): StatedAdvisories | undefined {
  const advisories = [...(definition.advisories ?? []), ...(recorded ?? [])];
  const names = advisories.flatMap(listNames);
  const catalogued = advisories.filter(({ affected }) => !affected).flatMap(listNames);
  const entries = [...byId].filter(
    ([name, entry]) =>
      names.includes(name) &&
      !catalogued.includes(name) &&
      typeof entry === 'object' &&
      entry.exploitedSince! <= day,
  );

  // Without an answer of its source of advisories, the recorded ones would look complete.
  const isUnknown = !recorded && asksOsv(definition);
  return isUnknown || entries.length === 0
    ? undefined
    : { byId: new Map(entries), isComplete: false };
}

/**
 * Each source has its own statements on an advisory. A statement stays until its source withdraws it: an advisory that is missing
 * in a document may be in another, unless the source's answer is complete.
 */
function mergeAdvisories(
  recorded: readonly RecordedAdvisory[],
  { byId, isComplete }: StatedAdvisories,
  id: string,
): RecordedAdvisory[] {
  const keptAdvisories = recorded.filter(
    (advisory) => advisory.source !== id || !(isComplete || byId.has(advisory.id)),
  );
  const statedAdvisories = Array.from(byId.values())
    .filter((advisory) => typeof advisory === 'object')
    .map((advisory) => ({ ...advisory, source: id }));
  const joinKey = ({ id: name, source }: RecordedAdvisory) => `${name} ${source}`;
  return [...keptAdvisories, ...statedAdvisories].sort((a, b) =>
    joinKey(a) < joinKey(b) ? -1 : 1,
  );
}

/** A greatest version that upstream calls yanked or deprecated is deprecated at once, so every reader has to learn of it. */
function findPulledReleases(
  { component, definition, releases }: GatherInput,
  changes: readonly RecordedChange[],
): Finding[] {
  const greatest = listUsable(releases).at(-1)?.text;
  const pulled = definition.ignoreUpstreamDeprecation
    ? undefined
    : changes.find(({ kind, version }) => kind === 'deprecated' && version === greatest);
  if (!pulled) {
    return [];
  }

  const message = `upstream calls ${greatest} deprecated, the greatest version until now: ${endSentence(pulled.detail)}`;
  return [warning(component, `${message} It is deprecated at once; it stays recorded.`)];
}

/** The versions that can be the latest release. */
function listUsable(releases: readonly RecordedRelease[]): Version[] {
  const usable = releases.filter(({ version, deprecated, withdrawnSince, isPrerelease }) => {
    const isOut = deprecated !== undefined || withdrawnSince !== undefined;
    return !isOut && !(isPrerelease ?? isPrereleaseForm(version));
  });
  return sortVersions(usable);
}

/** The gate judges new versions by earlier ones, and the first list has none. */
function findFirstListOutliers(
  { component, releases: recorded }: GatherInput,
  releases: readonly RecordedRelease[],
): Finding[] {
  const versions = listUsable(releases);
  const outliers = findFirstOutliers(versions).map(({ text }) => text);
  if (recorded.length > 0 || outliers.length === 0) {
    return [];
  }

  const below = versions.at(-outliers.length - 1)!.text;
  const pattern = outliers
    .map((version) => version.replaceAll(/[^\w-]/g, String.raw`\$&`))
    .join('|');
  const rule = JSON.stringify({ allowedVersions: `!/^(?:${pattern})$/` }).slice(1, -1);
  const message = `the latest release is ${outliers.at(-1)}, at least ten times the next one, ${below}.`;
  const remedy = `If it is no release, leave it out: ${rule} in its source in components/${component}.json`;
  return [warning(component, `${message} ${remedy}`)];
}

/** Sources without release days, where their releases are new. */
function listUndated({ component, definition }: GatherInput, merged: Merged): Finding[] {
  const newChanges = merged.changes.filter(({ kind }) => kind === 'new');
  const newVersions = new Set(newChanges.map(({ version }) => version));
  return findUndatedSources(merged.releases, definition.support)
    .filter(({ versions }) => versions.some((version) => newVersions.has(version)))
    .map(({ message }) => notice(component, message));
}

const maxOfKind = 5;
const maxMessageLength = 600;

/** Keeps the first findings of each kind, and the number of further ones. Errors need a person, so all of them stay. */
function limitFindings(findings: readonly Finding[]): Finding[] {
  const joinKind = ({ level, kind, message }: Finding) => `${level} ${kind ?? message}`;

  const limited: Finding[] = [];

  for (const group of Map.groupBy(findings, joinKind).values()) {
    const [first] = group;
    if (first.level === 'error') {
      limited.push(...group);
      continue;
    }

    const shown = group.slice(0, maxOfKind);
    const more = group.length - maxOfKind;
    if (more > 0) {
      shown.push({ ...first, message: `${more} more like this: ${first.message}` });
    }

    for (const { kind: _, message, ...finding } of shown) {
      limited.push({ ...finding, message: toLine(message, maxMessageLength) });
    }
  }

  return limited;
}

/** A failed source, with what stays recorded. */
function createFailure(
  { component, releases, lines = [], definition }: GatherInput,
  { id, reason, cause, stack }: Extract<SourceOutcome, { kind: 'failed' }>,
): Finding {
  const isOfLines = id === createSupportSourceId(definition.support);
  const consequence = isOfLines
    ? describeKept(lines.length, 'release line')
    : describeKept(releases.length, 'release');

  return {
    level: stack === undefined ? 'warning' : 'error',
    subject: `${component} (${removeAddress(id)})`,
    message: `${endSentence(reason)} ${consequence}`,
    file: `components/${component}.json`,
    cause,
    stack,
  };
}

function describeKept(count: number, noun: string): string {
  if (count === 0) {
    return `No ${noun} of it is recorded yet.`;
  }

  return count === 1
    ? `Kept the recorded ${noun}.`
    : `Kept all ${formatCount(count, `recorded ${noun}`)}.`;
}
