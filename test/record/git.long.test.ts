import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { createCopies, listReleases, openRunning } from '../harness/operated-index.ts';

const start = '2026-03-01';
const next = addDays(start, 1);

const behind = await openRunning(start, listReleases(2));
await behind.commitDay(next);
await behind.clone().commitDay(next, true);
const openBehind = createCopies(behind);

// Another clone has pushed a run of the same day. This clone has also run, but has not pushed. The run of this clone is in one of four
// states:
// - `[]`: committed
// - `reset HEAD~1`: not committed, as after a kill
// - `revert`: reverted by a second commit
// - `reset --soft`: staged, but not committed
test.each([[], ['reset HEAD~1'], ['revert --no-edit HEAD'], ['reset --soft HEAD~1']])(
  'after a conflicting push and "git %s", daily changes nothing and prints the command that resolves the conflict',
  async (...commands) => {
    const index = openBehind();
    commands.forEach((command) => index.git(...command.split(' ')));
    const look = () =>
      ['rev-parse HEAD main', 'status', 'diff HEAD', 'stash list'].map((line) =>
        index.git(...line.split(' ')).replaceAll(/^Your branch[^]*?\n\n/gm, ''),
      );
    const before = look();

    const { status, stderr } = await index.commitDay(next, true);

    expect(status).toBe(1);
    expect(stderr).toContain(
      'git push: another run has pushed data/runs/2026.ndjson meanwhile, so nothing was pushed. If two schedulers run "daily", stop one of them. ',
    );
    expect(look()).toEqual(before);
    const [, command = ''] = /\((git .+?)\)/.exec(stderr) ?? [];
    execFileSync('sh', ['-c', command], { cwd: index.root });
    expect(await index.commitDay(next, true)).toMatchObject({ status: 0, stderr: '' });
  },
);
