import type { RecordedLine } from '../../core/schemas/recorded.ts';
import { defined } from '../../core/text.ts';
import { compareVersions, parseVersion } from '../../core/version.ts';
import type { LineAnswer } from './ask.ts';

/** Release lines as recorded, with what a source states of them now, oldest first. A line that it no longer states stays as it was. */
export function mergeLines(
  recorded: readonly RecordedLine[],
  { lines, about, expected }: LineAnswer,
  id: string,
): RecordedLine[] {
  const stated = new Map(lines.map((line) => [line.line, line]));
  const named = about === expected ? undefined : about;
  const merged = recorded.map((entry) => {
    const now = entry.source === id ? stated.get(entry.line) : undefined;
    if (!now) return entry;
    stated.delete(entry.line);
    return defined({ ...now, source: id, about: named });
  });
  const added = [...stated.values()].map((line) => defined({ ...line, source: id, about: named }));
  return [...merged, ...added].sort((a, b) => compareVersions(parseVersion(a.line)!, parseVersion(b.line)!));
}
