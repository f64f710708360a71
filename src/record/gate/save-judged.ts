import { isDeepStrictEqual } from 'node:util';
import type { Day } from '../../core/model/dates.ts';
import { InputError, inputError, type Finding } from '../../core/schemas/finding.ts';
import { toRecordedFreshness } from '../../core/schemas/recorded/freshness.ts';
import { readIfThere } from '../../io/files/file-system.ts';
import type { Lock } from '../../io/files/lock.ts';
import { readJournal } from '../../io/files/recorded-files.ts';
import { unwrapResult } from '../../io/files/read-documents.ts';
import { freshnessPath, listComponents, recordedPath } from '../../io/files/root.ts';
import { formatDocument, saveIfChanged, saveUnlessChanged } from '../../io/files/save.ts';
import {
  findNews,
  readRecorded,
  throwIfRejected,
  unsavedWords,
  type WhyReject,
} from '../gather/save-gathered.ts';
import type { GatherResult } from '../gather/unite-answers.ts';
import { readDefinition } from '../read-definition.ts';
import { findLastAcceptedOn } from './decisions.ts';
import type { JudgedEdits } from './judge-edits.ts';
import { judgeGathered, type ComponentBefore } from './judge-gathered.ts';
import { readFormerNames } from './last-good-files.ts';
import { isOfSources, type WaitingChange } from './rules/waiting-change.ts';

interface SaveInput {
  dataLock: Pick<Lock, 'renew'>;
  day: Day;
  edits: JudgedEdits;
  gathered: readonly GatherResult[];
  whyReject?: WhyReject;
}

/**
 * Judges gathered data after the edits of people, and saves the accepted part. Returns the changes that wait because of sources, the
 * decisions that let changes through, and why components could not be saved.
 */
export function saveJudged(input: SaveInput) {
  const { root, lastRun } = input.edits;
  const waiting: WaitingChange[] = [];
  const used: string[] = [];
  const findings: Finding[] = [];
  const savedNames = new Set<string>();

  for (const result of input.gathered) {
    input.dataLock.renew();
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
  const path = recordedPath(root, name);
  const before = readIfThere(path);
  const recorded = readComponent(edits, name, day);
  const verdict = judgeGathered(recorded, result);

  const news = findNews(before && recorded.data, verdict.data);
  if (news) {
    throwIfRejected(name, news, whyReject);
    const content = formatDocument(news);
    const isUnchanged = isDeepStrictEqual(result.before, recorded.data);
    if (!isUnchanged || !saveUnlessChanged([{ path, before, content }])) {
      const message = 'another run has changed its data since its sources were asked';
      throw inputError(name, `${message}. ${unsavedWords}`);
    }
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

  return {
    name,
    day,
    definition: unwrapResult(read),
    data,
    freshness,
    journal: unwrapResult(readJournal(root, name)).values,
    waits: waits.filter(({ component }) => component === name),
    accepted,
    acceptedOn: findLastAcceptedOn(used, [name, ...readFormerNames(root, name)]),
  };
}
