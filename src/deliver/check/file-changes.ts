import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { formatList } from '../../core/text/wording.ts';
import { digestsFile, type Digests } from '../../site/digests.ts';
import { readBuiltFiles } from '../../site/output-folder.ts';

/** The most files, and the most keys, that a sentence names. */
const maxFiles = 30;
const maxKeys = 6;

/**
 * The files of two built sites that differ by a byte, in sentences. Files with the same state and the same changed keys share a
 * sentence: one cause often changes many.
 */
export function describeFileChanges(before: string, after: string): string[] {
  const past = readBuiltFiles(before);
  const present = readBuiltFiles(after);
  const changes = listDifferences(past, present).map((path) => {
    const state = findState(path, past, present);
    const keys =
      state === 'changed' && path.endsWith('.json')
        ? describeKeys(join(before, path), join(after, path))
        : '';
    return { path, state, keys };
  });

  const groups = Map.groupBy(changes, ({ state, keys }) => `${state} ${keys}`).values();
  const sentences = Array.from(groups, (group) => {
    const [{ state, keys }] = group;
    const paths = formatList(
      group.map(({ path }) => path),
      maxFiles,
    );
    return keys === '' ? `${state}: ${paths}` : `${paths}: ${keys}`;
  });
  return sentences.sort();
}

/** The changed keys of a JSON document; empty where there are none. */
function describeKeys(formerPath: string, path: string): string {
  const keys = listChangedKeys(readJson(formerPath), readJson(path), '');
  return formatList([...new Set(keys)].sort(), maxKeys);
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** The innermost key of each difference; of lists of different length, the key of the list. */
function listChangedKeys(former: unknown, value: unknown, key: string): string[] {
  if (isDeepStrictEqual(former, value)) {
    return [];
  }

  const isList = Array.isArray(former) && Array.isArray(value);
  if (!hasKeys(former) || !hasKeys(value) || (isList && former.length !== value.length)) {
    return [key];
  }

  return Object.keys({ ...former, ...value }).flatMap((name) =>
    listChangedKeys(former[name], value[name], isList ? key : name),
  );
}

function hasKeys(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Whether a file that differs between two lists is new, changed or gone. */
export function findState(path: string, past: Digests, present: Digests) {
  if (!past.has(path)) {
    return 'new';
  }

  return present.has(path) ? 'changed' : 'gone';
}

/** The paths of files that have different digests, or that only one list has; without the list itself, which differs with any other. */
export function listDifferences(past: Digests, present: Digests): string[] {
  const paths = new Set(past.keys()).union(present);
  return [...paths]
    .filter((path) => path !== digestsFile && past.get(path) !== present.get(path))
    .sort();
}
