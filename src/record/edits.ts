import { join } from 'node:path';
import { parseJson, readIfThere } from '../core/files.ts';
import { listIndexFiles } from '../core/index/read-folder.ts';

/** The files of an index that differ between two folders; of documents, which of their keys. */
export function listEdits(before: string, after: string): string[] {
  const paths = new Set([before, after].flatMap(listIndexFiles));
  return [...paths].sort().flatMap((path) => {
    const [old, current] = [before, after].map((root) => readIfThere(join(root, path), path));
    if (old && current?.equals(old)) {
      return [];
    }

    const [a, b] = [old, current].map((bytes) => readParts(path, bytes));
    const keys = Object.keys({ ...a, ...b }).filter((key) => a?.[key] !== b?.[key]);
    return `${path}: ${keys.join(', ') || 'white space'}`;
  });
}

function readParts(path: string, bytes?: Buffer): Record<string, string> {
  const text = bytes?.toString();
  const parts = text && path.endsWith('.json') ? Object(parseJson(text, path)) : { content: text };
  return Object.fromEntries(
    Object.entries(parts).map(([key, value]) => [key, JSON.stringify(value)]),
  );
}
