import { join } from 'node:path';
import { Decision, HeldFile } from '../../core/schemas/held.ts';
import { readDocument, type ReadResult } from './documents.ts';
import { readLines, type Lines } from './journal.ts';
import { recordedFolder, type Root } from './root.ts';

/** The changes that wait for a decision. */
export function readHeld(root: Root): ReadResult<HeldFile> {
  return readDocument(heldPath(root), 'data/held.json', HeldFile, {
    value: { held: [] },
    findings: [],
  });
}

export function heldPath(root: Root): string {
  return join(recordedFolder(root), 'held.json');
}

export function readDecisions(root: Root): ReadResult<Lines<Decision>> {
  return readLines(decisionsPath(root), 'data/decisions.ndjson', Decision);
}

export function decisionsPath(root: Root): string {
  return join(recordedFolder(root), 'decisions.ndjson');
}
