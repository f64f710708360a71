import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const sharedFolder = 'RELEASE_INDEX_TEST_FOLDER';

/** Makes a folder for all files of tests and removes it after the run. Vitest kills its workers, which cannot do it. */
export default function makeSharedFolder(): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'release-index-')));
  process.env[sharedFolder] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
