/** An index in which much is over, affected, late or not known. */
import { join } from 'node:path';
import type { Day } from '../../src/core/day.ts';
import { buildSite } from '../../src/site/build.ts';
import { loadIndex } from '../../src/site/load-index.ts';
import { program } from './example.ts';
import { copyFolder, openIndex } from './index-folder.ts';
import { release } from './judging.ts';

export const uncertainDay: Day = '2026-11-27';

let root: string | undefined;

/** Its folder, with the site in `dist`, built once. */
export function buildUncertain(): string {
  if (root === undefined) {
    root = copyFolder(join(program, 'test/fixtures/uncertain'));
    const releases = Array.from({ length: 1200 }, (_, patch) =>
      release(`1.${patch}.0`, '2026-01-01T00:00:00Z'),
    );
    openIndex(root).write('data/bundle.json', { releases });
    const { index } = loadIndex(root, uncertainDay, program);
    buildSite(index, { program, root, out: join(root, 'dist') });
  }
  return root;
}
