/** Reads lists of versions in use: lines, tables, lock files and bills of materials. No zod and no Node: pages load it. */
import type { Item } from './index/item.ts';
import type { Names } from './index/owners.ts';
import { compareUrgency, describeObstacle, type Match } from './index/verdicts.ts';
import type { ReadList } from './lists/list.ts';
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
  if (!/(?:image|repository)["']?:/.test(text)) {
    return readLines(text, names);
  }

  const { listYamlImages } = await import('./lists/yaml-images.ts');
  return readLines(text, names, listYamlImages(text));
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

/** An entry of a list, with its component if that is of this index. */
export interface Entry {
  readonly item: Item;
  readonly match: Match | undefined;
}

type Matched<E> = E & { readonly match: Match };

/** What became of the entries of a list. */
export interface Reading<E extends Entry = Entry> {
  /** What is due first on top; last, what has no verdict. */
  readonly matched: readonly Matched<E>[];
  /** Not of this index. */
  readonly others: readonly E[];
  readonly notRead: readonly string[];
}

export function sortReading<E extends Entry>(
  entries: readonly E[],
  notRead: readonly string[],
): Reading<E> {
  const isMatched = (entry: E): entry is Matched<E> => entry.match !== undefined;
  return {
    matched: entries.filter(isMatched).sort((a, b) => compareUrgency(a.match, b.match)),
    others: entries.filter((entry) => !isMatched(entry)),
    notRead,
  };
}

/** Nobody shall take a list for judged of which nothing has a verdict and most was not understood. A list of other packages is read. */
export function isUnread({ matched, others, notRead }: Reading): boolean {
  const unread = matched.length + notRead.length;
  const isJudged = matched.some(({ match }) => match.verdict);
  return !isJudged && (unread > others.length || others.length === 0);
}

/** In the words of every door: what was judged, what is not of this index, and what was not read. */
export function describeReading({ matched, others, notRead }: Reading): string {
  const unjudged = matched.filter(({ match }) => !match.verdict);
  const judged = matched.length - unjudged.length;
  const total = matched.length + others.length + notRead.length;
  const list = (heading: string, texts: readonly string[]) =>
    texts.length > 0 ? [`${heading}: ${formatList(texts, 20)}.`] : [];
  const sentences = [
    `${judged} of ${total} judged.`,
    ...list('No verdict', unjudged.map(explainUnjudged)),
    ...list(
      'Not in this index',
      others.map(({ item }) => item.text),
    ),
    ...list('Not read', notRead),
  ];
  if (judged + others.length === 0) {
    sentences.push(
      'Expected lines ("name 1.2.3"), package URLs, images (docker compose config --images), a table with columns, a lock file, or a bill of materials as JSON: use.html lists all.',
    );
  }
  return sentences.join(' ');
}

function explainUnjudged({ item, match }: Entry): string {
  return `${item.text} (${describeObstacle(item, match).replace(/\.$/, '')})`;
}
