import { join } from 'node:path';
import type { Day } from '../../core/model/dates.ts';
import { Decision, HeldFile, type Wait } from '../../core/schemas/recorded/journal.ts';
import { readJournalLines, type Lines } from './journal-files.ts';
import { readDocument, type ReadResult } from './read-documents.ts';
import { recordedFolder, type Root } from './root.ts';

/** What the last run named for a person. */
export function readHeld(root: Root): ReadResult<HeldFile> {
  return readDocument(heldPath(root), 'data/held.json', HeldFile, {
    value: { held: [] },
    findings: [],
  });
}

export function heldPath(root: Root): string {
  return join(recordedFolder(root), 'held.json');
}

/** The versions of a component that wait, with the day since which each waits. */
export function listWaitingVersions(waits: readonly Wait[], component: string): Map<string, Day> {
  const waiting = new Map<string, Day>();
  for (const { component: name, versions = [], since } of waits) {
    for (const version of name === component ? versions : []) {
      waiting.set(version, since);
    }
  }
  return waiting;
}

/** The decisions of people. */
export function readDecisions(root: Root): ReadResult<Lines<Decision>> {
  return readJournalLines(decisionsPath(root), 'data/decisions.ndjson', Decision);
}

/** The accepted starts of a history, oldest first. */
export function readStarts(root: Root): Pick<Decision, 'commit' | 'published'>[] {
  const decisions = readDecisions(root).value?.values ?? [];
  return decisions.filter(({ id }) => id === 'history');
}

export function decisionsPath(root: Root): string {
  return join(recordedFolder(root), 'decisions.ndjson');
}

/** The greatest published ids of components with lost events: new ids go on above them. */
export function publishedIds(root: Root): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  for (const { published = {} } of readStarts(root)) {
    for (const [component, id] of Object.entries(published)) {
      ids.set(component, Math.max(id, ids.get(component) ?? 0));
    }
  }
  return ids;
}
