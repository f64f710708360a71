import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkout } from './harness/checkout.ts';
import { linesOf } from './harness/cli.ts';
import { filesIn, temporaryFolder, withGit } from './harness/root.ts';
import { runHere } from './harness/run-here.ts';

const versions = join(checkout, 'test/fixtures/versions');

// What a version wrote is never changed here: an index that is years old has it.
test.each(readdirSync(versions))(
  'an index that %s recorded opens, and nothing in it is news',
  async (version) => {
    const root = withGit(temporaryFolder());
    cpSync(join(versions, version), root, { recursive: true });
    const before = filesIn(join(root, 'data'));
    const run = (verb: string) => runHere([verb, '--root', root, '--as-of', '2026-02-13']);

    const recorded = await run('record');
    const built = await run('build');
    const checked = await run('check');

    expect(linesOf(recorded.stdout)).toEqual(['record: nothing new.']);
    expect(filesIn(join(root, 'data'))).toEqual(before);
    expect([built.status, checked.status, checked.stderr]).toEqual([0, 0, '']);
  },
);
