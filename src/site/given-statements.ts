import { join } from 'node:path';
import { readIfThere } from '../core/files.ts';
import { parseStatements } from '../core/schema/statement.ts';

/**
 * Reads the statements about a component in `site/statements/`. They were usually signed with keys other than the key of the index. Empty
 * if there are no such statements. Throws an `InputError` for a line that is not an envelope with a statement.
 */
export function readStatements(root: string, component: string): string {
  const file = `site/statements/${component}.ndjson`;
  const text = readIfThere(join(root, file), file)?.toString() ?? '';
  parseStatements(text, file);
  return text;
}
