/** The files of `data/`: releases and freshness, journals, runs with what waits after them, and decisions of people. */
import { basename, join } from 'node:path';
import { cutDay, type Day } from '../../core/model/dates.ts';
import { fileProblem, type Finding } from '../../core/schemas/finding.ts';
import {
  readFreshnessOn,
  RecordedFreshness,
  type Freshness,
} from '../../core/schemas/recorded/freshness.ts';
import { findDisorder, JournalEvent } from '../../core/schemas/recorded/journal.ts';
import { Run } from '../../core/schemas/recorded/runs.ts';
import { HeldFile, Decision, type Wait } from '../../core/schemas/recorded/waits.ts';
import { RecordedData } from '../../core/schemas/recorded/recorded.ts';
import { isAbsent, listNames, sha256, readRegularFile } from './file-system.ts';
import { parseIfJson, readDocument, unwrapResult, type ReadResult } from './read-documents.ts';
import { readLines, type Lines } from './read-lines.ts';
import {
  decisionsFile,
  freshnessFile,
  freshnessPath,
  heldFile,
  isLeftOut,
  isWritable,
  journalFile,
  journalPath,
  recordedFile,
  recordedFolder,
  recordedPath,
  runsFile,
  type Root,
} from './root.ts';

/** A component without a file has no releases. */
export function readRecordedData(root: Root, component: string): ReadResult<RecordedData> {
  const path = recordedPath(root, component);
  return readDocument(path, recordedFile(component), RecordedData, {
    value: { releases: [] },
    findings: [],
  });
}

/**
 * The freshness as of the last run that asked the sources. A component without a file has never been gathered. A file without
 * recorded data is ignored: it belongs to a component that was removed, or has lost its data.
 */
export function readFreshness(root: Root, component: string): ReadResult<Freshness> {
  const path = freshnessPath(root, component);
  if (isAbsent(recordedPath(root, component)) || isAbsent(path)) {
    return { value: { sources: {} }, findings: [] };
  }

  const { value, findings } = readDocument(path, freshnessFile(component), RecordedFreshness);
  return value
    ? { value: readFreshnessOn(value, findLastAskedDay(root, component)), findings }
    : { findings };
}

/** Empty for a component without a journal. */
export function readJournal(root: Root, component: string): ReadResult<Lines<JournalEvent>> {
  const name = journalFile(component);
  const result = readLines(journalPath(root, component), name, JournalEvent);
  const disorder = result.value && findDisorder(result.value.values);
  return disorder === undefined
    ? result
    : { findings: [...result.findings, fileProblem(name, disorder)] };
}

/**
 * The events of all journals, by the name in their published ids: a renamed component keeps its first one there. Throws an InputError
 * for an unreadable one, which may have any events.
 */
export function readEventsByFirstName(root: Root): ReadonlyMap<string, readonly JournalEvent[]> {
  const eventsByName = new Map<string, readonly JournalEvent[]>();
  for (const name of listJournals(root)) {
    const events = unwrapResult(readJournal(root, name)).values;
    eventsByName.set(events[0]?.component ?? name, events);
  }
  return eventsByName;
}

/** A digest over all journals. Each run records it. */
export function digestJournals(root: Root): string {
  const lines = listJournals(root).map(
    (name) => `${sha256(readRegularFile(journalPath(root, name)))} ${name}\n`,
  );
  return sha256(lines.join(''));
}

/** Names of all components with a journal, including components that left the index. */
export function listJournals(root: Root): string[] {
  const files = listNames(recordedFolder(root, 'journal'), /^[^.].*\.ndjson$/s);
  const names = files.map((file) => basename(file, '.ndjson'));

  // The journal of a removed component stays until a person accepts its removal.
  const removedNames = Array.from(root.lastGood?.keys() ?? []).filter(
    (name) => !isWritable(root, name, 'journal'),
  );
  return [...new Set([...names, ...removedNames])].sort();
}

/** The number of published events up to a day: the sum of the last ids of all journals. Throws an InputError. */
export function countEvents(root: Root, day: Day): number {
  let sum = 0;
  for (const name of listJournals(root).filter((journal) => !isLeftOut(root, journal))) {
    const { values } = unwrapResult(readJournal(root, name));
    sum += values.findLast(({ at }) => cutDay(at) <= day)?.id ?? 0;
  }
  return sum;
}

/** The runs of a year, oldest first. */
export function readRuns(root: Root, year: string): ReadResult<Lines<Run>> {
  return readLines(join(root.dir, runsFile(year)), runsFile(year), Run);
}

/** All runs, oldest first. */
export function listRuns(root: Root): { runs: Run[]; findings: Finding[] } {
  const results = listRunYears(root).map((year) => readRuns(root, year));
  return {
    runs: results.flatMap(({ value }) => value?.values ?? []),
    findings: results.flatMap(({ findings }) => findings),
  };
}

/** The last day on which a run asked the sources of a component. */
function findLastAskedDay(root: Root, component: string): Day | undefined {
  for (const { asOf, asked, unasked = [] } of readLatestRuns(root)) {
    if (asked > 0 && !unasked.includes(component)) {
      return asOf;
    }
  }

  return undefined;
}

/** The waits after the last run. */
export function readLastWaits(root: Root): readonly Wait[] {
  const [run] = readLatestRuns(root);
  return run?.waits ?? [];
}

/**
 * All runs, latest first. Decodes a line only when it is requested: each component looks for its last run in a file that may have
 * some MB. Skips invalid lines, which `readRuns` reports.
 */
function* readLatestRuns(root: Root): Generator<Run> {
  for (const year of listRunYears(root).reverse()) {
    const bytes = readRegularFile(join(root.dir, runsFile(year)));
    let end = bytes.length;
    while (end > 0) {
      const start = bytes.lastIndexOf('\n', end - 1) + 1;
      const { data: run } = Run.safeParse(parseIfJson(bytes.toString('utf8', start, end)));
      end = start - 1;

      if (run) {
        yield run;
      }
    }
  }
}

function listRunYears(root: Root): string[] {
  const files = listNames(recordedFolder(root, 'runs'), /^\d{4}\.ndjson$/);
  return files.map((file) => basename(file, '.ndjson')).sort();
}

/** The held changes that the last run listed for people. */
export function readHeld(root: Root): ReadResult<HeldFile> {
  return readDocument(join(root.dir, heldFile), heldFile, HeldFile, {
    value: { held: [] },
    findings: [],
  });
}

/** The decisions of people. */
export function readDecisions(root: Root): ReadResult<Lines<Decision>> {
  return readLines(join(root.dir, decisionsFile), decisionsFile, Decision);
}

/** The accepted starts of a history, oldest first. Throws an InputError if the file is unusable. */
export function readStarts(root: Root): Decision[] {
  return unwrapResult(readDecisions(root)).values.filter(({ id }) => id === 'history');
}

/** The greatest published ids of components with lost events: new ids go on above them. */
export function readPublishedIds(root: Root): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  for (const { published = {} } of readStarts(root)) {
    for (const [component, id] of Object.entries(published)) {
      ids.set(component, Math.max(id, ids.get(component) ?? 0));
    }
  }
  return ids;
}
