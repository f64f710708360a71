import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileProblem, type Finding } from '../../core/schemas/finding.ts';
import { isAbsent } from '../../io/files/file-system.ts';
import { recordedFolder, type Root } from '../../io/files/root.ts';
import { readIfThere } from '../../io/files/save.ts';

/** The folders of `data/` with append-only files; the first is `data/` itself. */
const folders = ['', 'journal', 'runs'] as const;

const foreignRun =
  'has new lines. Only the run that publishes adds them, and the gate compares later edits with the commits they name. Remove them';

/** Finds recorded lines that the later root lacks or has changed. The journal of a renamed component may move. */
export function findChangedLines(before: Root, after: Root): Finding[] {
  const present = linesOf(after);
  return Array.from(linesOf(before)).flatMap(([file, text]): Finding | [] => {
    const now = present.get(file);
    if (now?.startsWith(text)) {
      return file.startsWith('data/runs/') && now !== text
        ? fileProblem(file, foreignRun, 'warning')
        : [];
    }
    const isMoved = file.startsWith('data/journal/') && !present.has(file);
    if (isMoved && [...present.values()].some((other) => other.startsWith(text))) {
      return [];
    }
    const lines = now?.split('\n') ?? [];
    const place = text.split('\n').findIndex((line, index) => line !== lines[index]);
    const message = `line ${place + 1} is not as it was recorded. Lines are never changed or removed: restore the file from git`;
    return fileProblem(file, message);
  });
}

/** The text of each append-only file, by path. */
function linesOf(root: Root): Map<string, string> {
  return new Map(
    folders.flatMap((folder) => {
      const dir = recordedFolder(root, folder);
      const names = isAbsent(dir)
        ? []
        : readdirSync(dir).filter((name) => name.endsWith('.ndjson'));
      return names.map((name) => {
        const text = readIfThere(join(dir, name))?.toString() ?? '';
        return [['data', folder, name].filter((part) => part !== '').join('/'), text] as const;
      });
    }),
  );
}
