import type { Day } from '../../core/model/dates.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { hasEnded } from '../../core/model/phases.ts';
import { compareVersions, parseVersion } from '../../core/model/version.ts';
import type { Definition } from '../../core/schemas/definition/definition.ts';
import { isOsv, type Source, type SupportSource } from '../../core/schemas/definition/source.ts';
import {
  createSupportSourceId,
  listSourceIds,
  mapSourcesById,
} from '../../core/schemas/definition/source-ids.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import type { Freshness } from '../../core/schemas/recorded/freshness.ts';
import type {
  RecordedAdvisory,
  RecordedLine,
  RecordedRelease,
} from '../../core/schemas/recorded/recorded.ts';
import type { WaitingChange } from '../gate/rules/waiting-change.ts';
import { findAdapter, findSupportAdapter } from '../sources/index.ts';
import { listOsvPackages } from '../sources/source-packages.ts';
import {
  askSource,
  type Adapter,
  type Answered,
  type AskContext,
  type GatherContext,
  type SourceOutcome,
} from './ask-source.ts';
import { checkSource, type CheckedSource, type GatherInput } from './check-source.ts';
import {
  findFirstListOutliers,
  findPulledReleases,
  limitFindings,
  listUndated,
} from './gather-findings.ts';
import { listWithdrawnAdvisories, mergeAdvisories } from './merge-advisories.ts';
import type { RecordedChange } from './merge-values.ts';
import { mergeAnswers, type Merged } from './merge.ts';
import { updateFreshness, type SourceState } from './update-freshness.ts';

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
  /** The stated days of new versions that were rejected, as an earlier answer lacked the version. */
  rejectedDays: ReadonlyMap<string, Day>;
  /** The lists that wait for a person. */
  shortLists: readonly WaitingChange[];
  /** The short lists that became the measure of their sources. */
  accepted: readonly AcceptedList[];
}

/** A short list that a person has accepted. */
interface AcceptedList {
  /** The id of the decision. */
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
type AskedSource = Pick<AskContext, 'id' | 'acceptsPrereleases' | 'listsLines' | 'recorded'> & {
  source: Source | SupportSource;
  adapter: Adapter;
};

function listAskedSources(input: GatherInput, urls: readonly string[] = []): AskedSource[] {
  const { definition, releases } = input;
  const { sources, support, prereleases } = definition;
  const catalogues = definition.advisories || sources.some(isOsv) ? urls : [];
  const askable = [...sources, ...catalogues.map((url) => ({ datasource: 'exploited', url }))];

  const askedSources = Array.from(mapSourcesById<Source>(askable), ([id, source]): AskedSource => ({
    id,
    source,
    adapter: findAdapter(source),
    acceptsPrereleases: prereleases === true,
    recorded: releases,
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
    ({ source, adapter, ...asked }) => {
      const freshness = input.freshness.sources[asked.id];
      return askSource(source, adapter, { ...shared, ...asked, freshness });
    },
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

/** Checks the answers and merges them into the recorded data. */
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
    advisories: mergeAdvisories(definition, input.advisories, answered, day),
    lines: lines.length > 0 ? lines : undefined,
    freshness: updateFreshness(input.freshness, states, day, merged),
    changes: merged.changes,
    sources: states,
    withdrawnAdvisories: listWithdrawnAdvisories(answered),
    findings: [
      ...limitFindings([
        ...answers.findings,
        ...checked.flatMap(({ findings }) => findings),
        ...merged.findings,
        ...findPulledReleases(input, merged.changes),
        ...findFirstListOutliers(input, merged.releases),
      ]),
      ...listUndated(input, merged),
    ],
    rejectedDays: new Map(checked.flatMap(({ rejectedDays = [] }) => [...rejectedDays])),
    shortLists: checked.flatMap(({ waitingList }) => waitingList ?? []),
    accepted: listAcceptedLists(checked, merged),
  };
}

/** Keeps the documents of sound answers: later runs may use them again. */
export function keepDocuments({ outcomes }: Answers, { sources }: GatherResult): void {
  const sound = new Set(sources.filter(({ kind }) => kind === 'answered').map(({ id }) => id));
  for (const outcome of outcomes) {
    if (outcome.kind === 'answered' && sound.has(outcome.id)) {
      outcome.keep?.();
    }
  }
}

/** The short lists that a person has accepted, with the versions that are withdrawn with them. */
function listAcceptedLists(
  checked: readonly CheckedSource[],
  { withdrawnByDecision }: Merged,
): AcceptedList[] {
  const lists: AcceptedList[] = [];
  for (const { state, decision } of checked) {
    if (decision !== undefined) {
      lists.push({ id: decision, withdrawn: withdrawnByDecision.get(state.id) ?? [] });
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
