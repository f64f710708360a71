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
    ['where', 'component', 'version', 'state', 'end', 'Renovate proposes'],
    ['vendor/run.sh:1', 'svc', 'v1.0', 'ended', '2026-01-01', 'v2.0'],
    ['1 comment and 0 packages read, 0 comments not.'],
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

test('pins lists packages, and the rows of several folders by their end', async () => {
  const lines = { '1.0': '2026-05-01', '2.0': '2026-12-01' };
  const index = makeRoot({
    'components/svc.json': definition({
      support: { policy: 'dated', lines },
      sources: [{ datasource: 'docker', packageName: 'example/svc' }],
      aliases: ['pkg:npm/%40example/svc', 'pkg:pypi/svc-agent'],
    }),
    'data/svc.json': { releases: [{ version: '1.0' }, { version: '2.0' }, { version: '3.0' }] },
  });
  const app = makeRoot({
    Dockerfile: `FROM example/svc:2.0\n${comment('svc')}\nARG SVC_VERSION=3.0\n`,
    'notes.md': 'example/svc:1.0\n',
  });
  const chart = makeRoot({
    'values.yaml': 'image:\n  repository: docker.io/example/svc\n  tag: "1.0"\n',
    'package.json': { dependencies: { '@example/svc': '^2.0.0' } },
    'requirements.txt': 'svc-agent==1.0\nother==1.0\n',
  });

  const { stdout } = await runCli(['pins', app, chart, '--root', index, ...options, '--json']);

  const { pins } = JSON.parse(stdout) as {
    pins: { folder: string; file: string; line: number; package?: string; version: string }[];
  };
  expect(
    pins.map(({ folder, file, line, package: purl, version }) => [
      folder === app ? 'app' : 'chart',
      `${file}:${line}`,
      purl,
      version,
    ]),
  ).toEqual([
    ['chart', 'requirements.txt:1', 'pkg:pypi/svc-agent', '1.0'],
    ['chart', 'values.yaml:2', 'pkg:docker/example/svc', '1.0'],
    ['app', 'Dockerfile:1', 'pkg:docker/example/svc', '2.0'],
    ['app', 'Dockerfile:2', undefined, '3.0'],
    ['chart', 'package.json:3', 'pkg:npm/%40example/svc', '^2.0.0'],
  ]);
});

test('pins warns of a file with more packages than it reads', async () => {
  const files = {
    'renovate.json': { extends: ['https://releases.example.com/renovate.json'] },
    'requirements.txt': 'a==1\n'.repeat(3001),
  };

  const { status, stderr } = await runCli(['pins', makeRoot(files), '--root', root(), ...options]);

  expect(status).toBe(0);
  expect(linesOf(stderr)).toEqual([
    'warning: requirements.txt: its packages were not read: expected at most 3,000 items in 15,005 characters; got more. Split the text',
  ]);
});

test('pins reads paths as Renovate does', async () => {
  const index = root();
  const line = `${comment('svc')}\nSVC=1.0\n`;
  const files = ['a/one.sh', 'a/deep/two.sh', 'b/three.sh', 'b/a{1}.sh'];
  const read = async (config: object) => {
    const folder = makeRoot({
      'renovate.json': { extends: ['https://releases.example.com/renovate.json'], ...config },
      ...Object.fromEntries(files.map((file) => [file, line])),
    });
    const { stdout } = await runCli(['pins', folder, '--root', index, ...options, '--json']);
    return (JSON.parse(stdout) as { pins: { file: string }[] }).pins.map(({ file }) => file);
  };

  expect(await read({ ignorePaths: ['a/*.sh'] })).toEqual([
    'a/deep/two.sh',
    'b/a{1}.sh',
    'b/three.sh',
  ]);
  expect(await read({ ignorePaths: ['**/[o-t]*.sh'] })).toEqual(['b/a{1}.sh']);
  expect(await read({ ignorePaths: ['deep'] })).toEqual(['a/one.sh', 'b/a{1}.sh', 'b/three.sh']);
  expect(await read({ includePaths: ['b/**'], ignorePaths: ['{b,c}/th*'] })).toEqual(['b/a{1}.sh']);
});

test('pins exits with 3 where the folder is missing', async () => {
  const { status, stderr } = await runCli(['pins', '/absent', '--root', root(), ...options]);

  expect(status).toBe(3);
  expect(stderr).toContain('/absent: There is no such folder.');
});
