import { expect, test } from 'vitest';
import { linesOf, runCli } from '../../harness/cli.ts';
import { definition, makeRoot } from '../../harness/root.ts';

const comment = (name: string) => `# renovate: datasource=custom.release-index depName=${name}`;
const root = () =>
  makeRoot({
    'components/svc.json': definition({
      support: { policy: 'dated', lines: { '1.0': '2026-01-01' } },
    }),
    'data/svc.json': { releases: [{ version: '1.0' }, { version: '2.0' }] },
  });
const options = ['--as-of', '2026-06-01', '--base-url', 'https://releases.example.com'];

test('pins lists the versions that Renovate reads, and fails where Renovate misses a comment', async () => {
  const index = root();
  const extending = {
    extends: ['https://releases.example.com/renovate.json'],
    separateMajorMinor: false,
  };
  const read = makeRoot({
    'renovate.json': extending,
    'vendor/run.sh': `${comment('svc')}\nSVC=v1.0\n`,
    'large.sh': `${comment('svc')}\n${' '.repeat(2 ** 20)}`,
  });
  const missed = makeRoot({
    'run.sh': `${comment('svc')}\n\nSVC=1.0\n`,
    'image.sh': `${comment('svc')}\nIMAGE svc@sha256:ab\n`,
  });

  const sound = await runCli(['pins', read, '--root', index, ...options]);
  const broken = await runCli(['pins', missed, '--root', index, ...options]);

  expect(sound).toMatchObject({ status: 0, stderr: '' });
  expect(linesOf(sound.stdout).map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['where', 'component', 'version', 'state', 'Renovate proposes'],
    ['vendor/run.sh:1', 'svc', 'v1.0', 'ended', 'v2.0'],
    [
      '1 version read, 0 comments not. Packages and images that Renovate finds by itself are not listed.',
    ],
  ]);
  expect(broken.status).toBe(1);
  expect(broken.stderr).toContain(
    'no configuration of Renovate here extends https://releases.example.com/',
  );
  for (const reason of [
    'a blank line is between the comment and the version',
    'Renovate leaves a version with a digest alone',
  ]) {
    expect(broken.stdout).toContain(reason);
  }
});

test('pins exits with 3 where the folder is missing', async () => {
  const { status, stderr } = await runCli(['pins', '/absent', '--root', root(), ...options]);

  expect(status).toBe(3);
  expect(stderr).toContain('/absent: There is no such folder.');
});
