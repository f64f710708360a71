import { join } from 'node:path';
import { readIfThere } from '../core/files.ts';
import { parseStatements } from '../core/schema/statement.ts';

/**
 * Reads the signed statements about a component from `site/statements/`. Most of them are not signed with the index's key. Returns an empty
 * text if there are none. Throws an `InputError` for a line that is not an envelope with a statement.
 */
export function readStatements(root: string, component: string): string {
  const file = `site/statements/${component}.ndjson`;
  const text = readIfThere(join(root, file), file)?.toString() ?? '';
  parseStatements(text, file);
  return text;
}
