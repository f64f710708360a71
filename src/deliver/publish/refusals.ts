import { join } from 'node:path';
import { z } from 'zod';
import type { Finding } from '../../core/schemas/finding.ts';
import { DecisionId } from '../../core/schemas/recorded/held.ts';
import { readDocument } from '../../io/files/read-documents.ts';
import { cacheFolder, type Root } from '../../io/files/root.ts';
import { formatDocument, saveIfChanged } from '../../io/files/save.ts';

/** The refusals of the last publication in this checkout, which a person may accept. */
const Refusals = z.array(z.object({ id: DecisionId, reason: z.string() }));

export function saveRefusals(root: Root, findings: readonly Finding[]): void {
  const refusals: z.infer<typeof Refusals> = [];

  for (const { accept: id, message: reason } of findings) {
    if (id !== undefined) {
      refusals.push({ id, reason });
    }
  }

  saveIfChanged(pathOf(root), formatDocument(refusals));
}

export function readRefusals(root: Root): z.infer<typeof Refusals> {
  const absent = { value: [], findings: [] };
  return readDocument(pathOf(root), pathOf(root), Refusals, absent).value ?? [];
}

function pathOf(root: Root): string {
  return join(cacheFolder(root), 'refusals.json');
}
