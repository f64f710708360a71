import type { Day } from '../../core/model/dates.ts';
import { InputError, type Finding } from '../../core/schemas/finding.ts';
import { toRecordedFreshness } from '../../core/schemas/recorded/freshness.ts';
import { isAbsent } from '../../io/files/file-system.ts';
import { readJournal } from '../../io/files/recorded-files.ts';
import { unwrapResult } from '../../io/files/read-documents.ts';
import { freshnessPath, listComponents, recordedPath } from '../../io/files/root.ts';
import { formatDocument, saveIfChanged } from '../../io/files/save.ts';
import { formatNews, readRecorded, type WhyReject } from '../gather/save-gathered.ts';
import type { GatherResult } from '../gather/unite-answers.ts';
import { readDefinition } from '../read-definition.ts';
import { findLastAcceptedOn } from './decisions.ts';
import type { JudgedEdits } from './judge-edits.ts';
import { judgeGathered, type ComponentBefore } from './judge-gathered.ts';
import { isOfSources, type WaitingChange } from './rules/waiting-change.ts';

interface SaveInput {
  day: Day;
  edits: JudgedEdits;
  gathered: readonly GatherResult[];
  whyReject?: WhyReject;
}

/**
 * Judges gathered data after the edits of people, and saves the accepted part. Returns the changes that wait because of sources, the
 * decisions that let changes through, and why components could not be saved. Expects the lock for data.
 */
export function saveJudged(input: SaveInput) {
  const { root, lastRun } = input.edits;
  const waiting: WaitingChange[] = [];
  const used: string[] = [];
  const findings: Finding[] = [];
  const savedNames = new Set<string>();

  for (const result of input.gathered) {
    try {
      const verdict = saveResult(input, result);
      savedNames.add(result.component);
      waiting.push(...verdict.waiting);
      used.push(...verdict.used);
    } catch (error) {
      if (!(error instanceof InputError)) {
        throw error;
      }

      findings.push(...error.findings);
    }
  }

  // Goes on waiting where the component was not asked or not saved. A removed component has nothing to wait for.
  const unsavedNames = new Set(listComponents(root).names).difference(savedNames);
  for (const wait of lastRun?.waits ?? []) {
    if (isOfSources(wait) && unsavedNames.has(wait.component)) {
      waiting.push(wait);
    }
  }

  return { waiting, used, findings };
}

/** Saves the accepted part of a result. Throws an InputError where files cannot be read, or where the data must not be saved. */
function saveResult({ edits, day, whyReject }: SaveInput, result: GatherResult) {
  const { root } = edits;
  const { component: name } = result;
  const recorded = readComponent(edits, name, day);
  const verdict = judgeGathered(recorded, result);

  const path = recordedPath(root, name);
  const before = isAbsent(path) ? undefined : recorded.data;
  const news = formatNews(name, before, verdict.data, whyReject);
  if (news !== undefined) {
    saveIfChanged(path, news);
  }

  if (result.sources.length > 0) {
    const freshness = formatDocument(toRecordedFreshness(result.freshness));
    saveIfChanged(freshnessPath(root, name), freshness);
  }

  return verdict;
}

/** A component as recorded before this run, with the decisions of people. */
function readComponent(edits: JudgedEdits, name: string, day: Day): ComponentBefore {
  const { root, lastRun, accepted } = edits;
  const { waits = [], used = [] } = lastRun ?? {};
  const read = readDefinition(root, name);
  const { freshness, ...data } = readRecorded(root, name, read.findings);
  const definition = unwrapResult(read);

  return {
    name,
    day,
    definition,
    data,
    freshness,
    journal: unwrapResult(readJournal(root, name)).values,
    waits: waits.filter(({ component }) => component === name),
    accepted,
    acceptedOn: findLastAcceptedOn(used, [name, ...(definition.renamedFrom ?? [])]),
  };
}
