import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
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
    'Renovate changes a digest only after an image of the component',
  ]) {
    expect(broken.stdout).toContain(reason);
  }
});

test('pins --write adds only the missing comments', async () => {
  const index = root();
  const before: Record<string, string> = {
    Dockerfile: 'FROM scratch\r\nARG SVC_VERSION=1.0\r\nARG OTHER_VERSION=1.0\r\nARG SVC=1.0\r\n',
    '.github/workflows/ci.yml': 'env:\n  SVC_VERSION: "2.0"\n',
    'values.yaml': 'svcVersion: v1.0\nsvc: 9.9\n',
    'gradle.properties': `svcVersion=1.0\n${comment('svc')}\nsvc=1.0\n`,
    'pom.xml': '<project>\n  <svc.version>1.0</svc.version>\n</project>\n',
    'run.sh': 'docker run \\\n  svc=1.0\n',
    'package.json': '{\n  "svc": "1.0"\n}\n',
  };
  const folder = makeRoot(before);
  chmodSync(join(folder, 'values.yaml'), 0o755);
  const texts = () => Object.keys(before).map((file) => readFileSync(join(folder, file), 'utf8'));

  const refused = await runCli(['pins', folder, '--write', '--root', index, ...options]);
  expect(refused.status).toBe(1);
  expect(texts()).toEqual(Object.values(before));

  const written = await runCli(['pins', folder, '--write', '--yes', '--root', index, ...options]);
  const again = await runCli([
    'pins',
    folder,
    '--write',
    '--yes',
    '--root',
    index,
    ...options,
    '--json',
  ]);

  expect(written.stdout).toContain(
    `--- a/values.yaml\n+++ b/values.yaml\n@@ -1 +1,2 @@\n+${comment('svc')}\n svcVersion: v1.0\n`,
  );
  const xml = `  <!-- ${comment('svc').slice(2)} -->\n`;
  expect(texts()).toEqual([
    before['Dockerfile']!.replace('ARG SVC_VERSION', `${comment('svc')}\r\n$&`),
    before['.github/workflows/ci.yml']!.replace('  SVC', `  ${comment('svc')}\n$&`),
    `${comment('svc')}\n${before['values.yaml']}`,
    `${comment('svc')}\n${before['gradle.properties']}`,
    before['pom.xml']!.replace('  <svc', `${xml}$&`),
    before['run.sh'],
    before['package.json'],
  ]);
  expect(statSync(join(folder, 'values.yaml')).mode & 0o777).toBe(0o755);
  expect(JSON.parse(again.stdout)).toMatchObject({ added: [] });
});

test('pins exits with 3 where the folder is missing', async () => {
  const { status, stderr } = await runCli(['pins', '/absent', '--root', root(), ...options]);

  expect(status).toBe(3);
  expect(stderr).toContain('/absent: There is no such folder.');
});
