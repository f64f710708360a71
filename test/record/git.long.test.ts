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

// Another clone has pushed a run of the same day. This clone has also run, but has not pushed.
test.each([
  ['committed'],
  ['not committed, as after a kill', 'reset HEAD~1'],
  ['reverted by a second commit', 'revert --no-edit HEAD'],
  ['staged, but not committed', 'reset --soft HEAD~1'],
])(
  'the command that daily prints resolves a conflict with a pushed run: local run %s',
  async (_, ...commands) => {
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
