import { beforeAll, expect, test } from 'vitest';
import { addDays, today } from '../../src/core/day.ts';
import { digestOf as hex, sha256 } from '../harness/imitation.ts';
import { release } from '../harness/judging.ts';
import { runRenovate, type Run } from './client.ts';
import { serveSite, writeComment } from './site.ts';
import { writeUpdates } from './steps.ts';

const stated = (version: string) => ({ digest: sha256(version) });
const releases = ['2025.1', '2025.2', '2026.1'].map((version, place) =>
  release(version, addDays(today(), place - 90), stated(version)),
);
const others = [release('1.0', undefined, stated('1.0')), release('1.1')];
const toNumber = (version: string) => version.replace('v', '');
/** Components by name, with their versions. Some versions are listed with a `v`, others without it. */
const spelled: Record<string, string[]> = {
  cli: ['v2.1.0', 'v2.2.0', 'v2.3.0'],
  bare: ['2.1.0', '2.2.0', '2.3.0'],
  mixed: ['2.1.0', 'v2.2.0', '2.3.0'],
};
const spelledComponents = Object.entries(spelled).map(([name, versions]) => {
  const own = versions.map((version) => release(version, undefined, stated(toNumber(version))));
  return [name, { releases: own }] as const;
});
const sha512 = `9b${'9b'.repeat(63)}`;

/** Files with a pinned version and its checksum. `~` stands for Renovate's comment, `$` for the version, `#` for its digest. */
const places: Record<string, string> = {
  Dockerfile: '# ~svc\nENV A_SHA256=#\nENV A_VERSION=$',
  'b/Dockerfile': '# ~svc\nARG A_SHA256="#"\nARG A_VERSION="$"',
  'c/Dockerfile': '# ~svc\nARG VERSION=$\n# ~svc digestVersion=$\nARG SHA256=#',
  'install.sh': '# ~svc\nA_SHA256=${A_SHA256:-#}\nA_VERSION=${A_VERSION:-$}',
  'values.yaml': '# ~svc\nsha256: sha256:#\nversion: $',
  'main.tf': '# ~svc\na_sha256 = "#"\na = "$"',
  'server.tfvars': '# ~svc\na_sha256 = "#"\na_version = "$"',
  '.github/workflows/ci.yml': 'env:\n  # ~svc\n  A_SHA256: "#" # of the archive\n  A_VERSION: "$"',
  '.gitlab-ci.yml': 'variables:\n  # ~svc\n  A_SHA256: #\n  A_VERSION: "$"',
  'bitbucket-pipelines.yml': 'script:\n  # ~svc\n  - export A_SHA256=#\n  - export A_VERSION=$',
  'azure-pipelines.yml': 'variables:\n  # ~svc\n  A_SHA256: "#"\n  A_VERSION: "$"',
  Makefile: '# ~svc\nA_SHA256 := #\nA_VERSION := $',
  'pom.xml': '<!-- ~svc -->\n<a.sha256>#</a.sha256>\n<a.version>$</a.version>',
  'deploy/image.yaml': '# ~svc\nimage: example/svc:$@sha256:#\ntag: 3.4',
  'd/Dockerfile': '# ~svc\nARG IMAGE=example/svc:$@sha256:#',
};
/** Five files with pinned versions. Renovate needs a different regular expression for each of them. */
const spelledPlaces: Record<string, string> = {
  Dockerfile: '# ~svc\nENV A_SHA256=#\nENV A_VERSION=$',
  'install.sh': '# ~svc\nA_SHA256=${A_SHA256:-#}\nA_VERSION=${A_VERSION:-$}',
  'deploy/image.yaml': '# ~svc\nimage: example/svc:$@sha256:#\ntag: 3.4',
  'values.yaml': '# ~svc\nversion: $\n# ~svc digestVersion=$\nsha256: #',
  'pom.xml': '<!-- ~svc -->\n<a.sha256>#</a.sha256>\n<a.version>$</a.version>',
};
const spelledPins = Object.keys(spelled).flatMap((component) =>
  ['v2.1.0', '2.1.0', 'v2.2.0', 'v2.3.0'].flatMap((pin) =>
    Object.entries(spelledPlaces).map(([file, text]) => ({
      component,
      pin,
      file: `${component}/${pin}/${file}`,
      write: (version: string) =>
        writeComment(
          text
            .replaceAll('~svc', `~${component}`)
            .replaceAll(/\$(?!\{)/g, version)
            .replaceAll(/#(?! )/g, hex(toNumber(version))),
        ),
    })),
  ),
);
/** Files that Renovate must not change. */
const left: Record<string, string> = {
  // This file has only a SHA-512 digest. The index has no SHA-512, and Renovate must not read the digest as a version.
  'a.sh': `# ~svc\nA_SHA512=${sha512}`,
  // The newest release of `other` has no digest.
  'b.sh': `# ~other\nA_SHA256=${hex('1.0')}\nA_VERSION=1.0`,
};

const fill = (text: string, version: string) =>
  writeComment(text.replaceAll(/\$(?!\{)/g, version).replaceAll(/#(?! )/g, hex(version)));
const fillAll = (texts: Readonly<Record<string, string>>, version: string) =>
  Object.fromEntries(Object.entries(texts).map(([file, text]) => [file, fill(text, version)]));

let run: Run;
beforeAll(async () => {
  const components = Object.fromEntries([
    ['svc', { releases }],
    ['other', { releases: others }],
    ...spelledComponents,
  ]);
  const site = await serveSite(components, today());
  const config = {
    extends: [`${site.origin}/renovate.json`],
    separateMajorMinor: false,
    packageRules: [
      { matchPackageNames: ['*'], additionalBranchPrefix: '{{packageFile}}-' },
      { matchDatasources: ['docker'], enabled: false },
    ],
  };
  const spelledFiles = spelledPins.map(({ file, pin, write }) => [file, write(pin)]);
  const files = {
    ...fillAll(places, '2025.1'),
    ...fillAll(left, '1.0'),
    ...(Object.fromEntries(spelledFiles) as Record<string, string>),
  };
  run = await runRenovate({ 'renovate.json': config, ...files }, site.origin);
});

test.each(Object.keys(places))('updates the version and checksum in %s together', async (file) => {
  const before = { [file]: fill(places[file]!, '2025.1') };
  const updates = run.branches.flat().filter(({ packageFile }) => packageFile === file);

  // Renovate's manager for Bitbucket also reads azure-pipelines.yml, so this file has a second update. The second update changes nothing.
  expect(updates).toContainEqual(
    expect.objectContaining({ newValue: '2026.1', newDigest: hex('2026.1') }),
  );
  expect(await writeUpdates(before, updates)).toEqual({ [file]: fill(places[file]!, '2026.1') });
});

test('Renovate warns instead of updating if the newest release has no digest', () => {
  const files = run.packageFiles.filter(({ packageFile }) => packageFile in left);

  expect(files).toMatchObject([
    { packageFile: 'b.sh', deps: [{ updates: [], warnings: [{ topic: 'other' }] }] },
  ]);
});

test.each(spelledPins)(
  'Renovate does not add or remove a leading v: component $component, version $pin, file $file',
  async (pinned) => {
    const { file, pin, write } = pinned;
    const updates = run.branches.flat().filter(({ packageFile }) => packageFile === file);
    const newest = pin.replace(/[\d.]+/, '2.3.0');

    // values.yaml has a separate comment for the checksum, so the version and the checksum are two updates.
    const count = file.endsWith('values.yaml') ? 2 : 1;
    expect(updates.length).toBe(pin === newest ? 0 : count);
    expect(await writeUpdates({ [file]: write(pin) }, updates)).toEqual({ [file]: write(newest) });
  },
);

test('Renovate does not warn about a pinned version that the index lists', () => {
  const warned = run.packageFiles.flatMap(({ packageFile, deps }) =>
    deps.flatMap(({ warnings = [] }) =>
      warnings.map(({ message }) => `${packageFile}: ${message}`),
    ),
  );

  // b.sh gets this warning because the newest release of `other` has no digest.
  expect(warned).toEqual([
    'b.sh: Could not determine new digest for update (custom.index package other)',
  ]);
});
