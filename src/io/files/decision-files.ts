import { join } from 'node:path';
import { Decision } from '../../core/schemas/recorded/journal.ts';
import { unwrapResult, type ReadResult } from './read-documents.ts';
import { readLines, type Lines } from './read-lines.ts';
import { recordedFolder, type Root } from './root.ts';

/** The decisions of people. */
export function readDecisions(root: Root): ReadResult<Lines<Decision>> {
  return readLines(decisionsPath(root), 'data/decisions.ndjson', Decision);
}

/** The accepted starts of a history, oldest first. Throws an InputError if the file is unusable. */
export function readStarts(root: Root): Decision[] {
  return unwrapResult(readDecisions(root)).values.filter(({ id }) => id === 'history');
}

export function decisionsPath(root: Root): string {
  return join(recordedFolder(root), 'decisions.ndjson');
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
