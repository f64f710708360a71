/** Reads lists of versions in use: lines, tables, lock files and bills of materials. No zod and no Node: pages load it. */
import type { ReadList } from './index/item.ts';
import type { Names } from './index/owners.ts';
import { describeObstacle, type Match } from './index/verdicts.ts';
import type { LockFile } from './lists/lock-files.ts';
import { refuseText } from './lists/refused.ts';
import { formatList } from './text.ts';

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

  // A page loads the reader that a list asks for. A map or a list of YAML in one line is no JSON.
  if (/^\s*(?:\{\s*(?:["}]|$)|\[\s*[{\]])/.test(text)) {
    const { readDocument } = await import('./lists/documents.ts');
    return readDocument(text);
  }
  const kind = findLockFile(text);
  if (kind) {
    const { readLockFile } = await import('./lists/lock-files.ts');
    return readLockFile(kind, text);
  }
  // Names of columns have no digit: `tool release-1.0` is an entry.
  const [first = ''] = /^[ \t]*[^\s#].*$/m.exec(text) ?? [];
  if (/version|tag|release|current|installed|url/i.test(first) && !/\d/.test(first)) {
    const { readColumns } = await import('./lists/columns.ts');
    const list = readColumns(text);
    if (list) {
      return list;
    }
  }

  const { readLines } = await import('./lists/lines.ts');
  let images = new Map<number, string[]>();
  if (/(?:image|repository)["']?:/.test(text)) {
    const { listYamlImages } = await import('./lists/yaml-images.ts');
    images = listYamlImages(text);
  }
  return readLines(text, names, images);
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

/** What became of the entries of a list. */
interface Reading {
  readonly judged: readonly Match[];
  /** Of this index, but without a verdict, each with the reason. */
  readonly unjudged: readonly string[];
  /** Not of this index. */
  readonly others: readonly string[];
  readonly notRead: readonly string[];
}

/** `matches`: of each item. */
export function sortReading(
  { items, problems }: ReadList,
  matches: readonly (Match | undefined)[],
): Reading {
  const judged: Match[] = [];
  const unjudged: string[] = [];
  const others: string[] = [];
  for (const [index, item] of items.entries()) {
    const match = matches[index];
    if (match?.verdict) {
      judged.push(match);
    } else if (match) {
      unjudged.push(`${item.text} (${describeObstacle(item, match).replace(/\.$/, '')})`);
    } else {
      others.push(item.text);
    }
  }
  return { judged, unjudged, others, notRead: problems };
}

/** Nobody shall take a list for judged of which nothing has a verdict and most was not understood. A list of other packages is read. */
export function isUnread({ judged, unjudged, others, notRead }: Reading): boolean {
  const unread = unjudged.length + notRead.length;
  return judged.length === 0 && (unread > others.length || others.length === 0);
}

/** In the words of every door: what was judged, what is not of this index, and what was not read. */
export function describeReading({ judged, unjudged, others, notRead }: Reading): string {
  const total = judged.length + unjudged.length + others.length + notRead.length;
  const sentences = [`${judged.length} of ${total} judged.`];
  if (unjudged.length > 0) {
    sentences.push(`No verdict: ${formatList(unjudged, 20)}.`);
  }
  if (others.length > 0) {
    sentences.push(`Not in this index: ${formatList(others, 20)}.`);
  }
  if (notRead.length > 0) {
    sentences.push(`Not read: ${formatList(notRead, 20)}.`);
  }
  if (judged.length + others.length === 0) {
    sentences.push(
      'Expected lines ("name 1.2.3"), package URLs, images (docker compose config --images), a table with columns, a lock file, or a bill of materials as JSON: use.html lists all.',
    );
  }
  return sentences.join(' ');
}
