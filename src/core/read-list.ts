/** Reads lists of versions in use: lines, tables, lock files and bills of materials. No zod and no Node: pages load it. */
import type { Names } from './index/owners.ts';
import { readColumns } from './lists/columns.ts';
import { readDocument } from './lists/documents.ts';
import { rewriteFile } from './lists/files.ts';
import { readLines } from './lists/lines.ts';
import type { ReadList } from './lists/list.ts';
import { refuseText } from './lists/refused.ts';

/** `names`: of the index. `file`: the name of the file, where it is known. */
export function readList(source: string, names: Names, file = ''): ReadList {
  const text = source
    .replace(/^\uFEFF+/, '')
    .replaceAll(/\r\n?/g, '\n')
    // Marks of code in Markdown.
    .replaceAll(/`([^`\n]*)`/g, '$1')
    .trimEnd();
  const refused = refuseText(text);
  if (refused) {
    return refused;
  }

  if (isJson(text)) {
    return readDocument(text);
  }

  const versionFile = versionFileForm.exec(file);
  if (versionFile) {
    const [, tool = 'node'] = versionFile;
    const name = [tool, `${tool}js`].find((each) => names.has(each)) ?? 'version:';
    return readLines(text.replaceAll(/^\w/gm, `${name} $&`), names);
  }

  return readColumns(text) ?? readLines(rewriteFile(text), names);
}

/** The file of a version manager has versions alone, of one tool. */
const versionFileForm = /(?:^|[\\/])\.(?:nvmrc|(\w+)-version)$/;

/** A map or a list of YAML in one line is none. */
function isJson(text: string): boolean {
  return /^\s*(?:\{\s*(?:["}]|$)|\[\s*[{\]])/.test(text);
}
