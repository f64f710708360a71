/** Reads lists of versions in use: lines, tables, lock files and bills of materials. No zod and no Node: pages load it. */
import type { Names } from './index/owners.ts';
import type { ReadList } from './lists/list.ts';
import type { LockFile } from './lists/lock-files.ts';
import { refuseText } from './lists/refused.ts';

/** `names`: of the index. */
export async function readList(source: string, names: Names): Promise<ReadList> {
  const text = source
    .replace(/^\uFEFF+/, '')
    .replaceAll(/\r\n?/g, '\n')
    .trimEnd();
  const refused = refuseText(text);
  if (refused) {
    return refused;
  }

  // A page loads the reader that a list asks for.
  if (isJson(text)) {
    const { readDocument } = await import('./lists/documents.ts');
    return readDocument(text);
  }
  const kind = findLockFile(text);
  if (kind) {
    const { lockFileReaders } = await import('./lists/lock-files.ts');
    return { items: lockFileReaders[kind](text), problems: [] };
  }
  if (namesColumns(text)) {
    const { readColumns } = await import('./lists/columns.ts');
    const list = readColumns(text);
    if (list) {
      return list;
    }
  }

  const { readLines } = await import('./lists/lines.ts');
  if (!/(?:image|repository)["']?:/.test(text)) {
    return readLines(text, names);
  }

  const { listYamlImages } = await import('./lists/yaml-images.ts');
  return readLines(text, names, listYamlImages(text));
}

/** A map or a list of YAML in one line is none. */
function isJson(text: string): boolean {
  return /^\s*(?:\{\s*(?:["}]|$)|\[\s*[{\]])/.test(text);
}

/** The kind of a file that is no JSON, in which a package manager locks versions. */
function findLockFile(text: string): LockFile | undefined {
  if (/^\[\[packages?\]\]$/m.test(text)) {
    return 'toml';
  }
  if (/^ {2}specs:$/m.test(text)) {
    return 'gemfile';
  }
  return /^module\s/m.test(text) && /^(?:go|require)[ (]/m.test(text) ? 'go' : undefined;
}

/** Names of columns have no digit: `tool release-1.0` is an entry. */
function namesColumns(text: string): boolean {
  const [first = ''] = /^[ \t]*[^\s#].*$/m.exec(text) ?? [];
  return /version|tag|release|current|installed|url/i.test(first) && !/\d/.test(first);
}
