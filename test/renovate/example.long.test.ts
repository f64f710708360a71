import { beforeAll, expect, test } from 'vitest';
import { exampleDay } from '../harness/example.ts';
import { runRenovate, type Run } from './client.ts';
import { serveSite, writeComment } from './site.ts';

type Pin = [file: string, pin: string, proposed: string, labels: string, text: string];

/** Files with pinned versions. In `text`, `~` stands for Renovate's comment, and `$` for the version. */
const pins: Pin[] = [
  ['Dockerfile', '2025.1', '2025.4 2026.3', 'unsupported', '# ~svc\nARG A_VERSION="$"'],
  [
    '.github/workflows/ci.yml',
    '2025.2',
    '2025.4 2026.3',
    'support-ends',
    'env:\n  # ~svc\n  A_VERSION: $',
  ],
  [
    '.gitlab-ci.yml',
    'v2022.2.5',
    'v2026.3',
    'deprecated unsupported',
    'variables:\n  # ~svc\n  A_VERSION: "$"',
  ],
  ['bitbucket-pipelines.yml', '2026.3', '', '', 'script:\n  # ~svc\n  - export A_VERSION=$'],
  ['server.tfvars', '2024.1.3', '2026.3', 'unsupported', '# ~svc\na_version = "$"'],
  ['Chart.yaml', '2023.4', '2026.3', 'unsupported', 'name: a\n# ~svc\nappVersion: "$"'],
  // Version 2025.9 was never released.
  ['deploy/server.yaml', '2025.9', '2026.3', '', 'data:\n  # ~svc\n  version: "$"'],
  ['Makefile', '1.17', '1.23.0', 'deprecated', '# ~svcctl\nA_VERSION := $'],
  ['install.sh', '1.20', '1.23.0', '', '# ~svcctl\nA_VERSION=${A_VERSION:-$}'],
  ['.tool-versions', '1.23.0', '', '', '# ~svcctl\nsvcctl $'],
  [
    'pom.xml',
    '1.23.1',
    '1.23.2 2.5.0',
    '',
    '<!-- ~build-agent-maven -->\n<a.version>$</a.version>',
  ],
  [
    'gradle/libs.versions.toml',
    '3.16.2',
    '3.19.2 4.5.0',
    'deprecated',
    '# ~build-agent-gradle\na = "$"',
  ],
  ['gradle.properties', '2.0', '4.5.0', 'deprecated', '# ~build-agent-gradle\na=$'],
  ['package.json', '3.0.0', '3.0.1 4.1.1', '', '{ "//": "~build-agent-npm",\n  "a": "$" }'],
  ['main.tf', '21.0', 'edge-node@2.1.0', 'deprecated support-ends', '# ~build-cache-node\na = "$"'],
  ['.env', '1.7.0', '2.1.0', '', '# ~edge-node\nA_VERSION=$'],
  ['charts/values.yaml', '2.1.0', '', '', '# ~edge-node\nversion: $'],
  ['compose.yaml', '2.0.1', '2.3.0', '', 'x-a:\n  # ~svc-reporting-kit\n  A_VERSION: "$"'],
  ['mise.toml', '1.0.0', '1.5.0', '', '[env]\n# ~svc-artifact-cache-cli\nA = "$"'],
  ['build.gradle.kts', '3.1.1', '3.8.0', '', '// ~test-distribution-agent\nval a = "$"'],
  ['Jenkinsfile', '1.4.4', '1.4.5', '', "// ~build-agent-sbt\ndef a = '$'"],
];

let run: Run;
let pinned: Run;
beforeAll(async () => {
  const site = await serveSite(undefined, exampleDay);
  const apart = { matchPackageNames: ['*'], additionalBranchPrefix: '{{packageFile}}-' };
  const preset = `${site.origin}/renovate.json`;
  const files = pins.map(([file, pin, , , text]) => [
    file,
    writeComment(text.replace(/\$(?!\{)/, pin), 'release-index'),
  ]);
  const ask = (config: object) =>
    runRenovate({ ...Object.fromEntries(files), 'renovate.json': config }, site.origin);
  run = await ask({ extends: [preset], packageRules: [apart] });
  pinned = await ask({
    extends: ['config:best-practices', 'docker:pinDigests', preset],
    dependencyDashboard: false,
    pinDigests: true,
    packageRules: [apart],
  });
});

test.each(pins)(
  'Renovate proposes updates for the file %s: from version %s to "%s", with the labels "%s"',
  (file, pin, proposed, labels) => {
    const lookups = run.lookups.filter((each) => each.file === file && each.pin === pin);
    const updates = run.branches.flat().filter(({ packageFile }) => packageFile === file);
    const proposals = proposed.split(' ').filter(Boolean);

    expect(lookups).toMatchObject([{ proposed: proposals }]);
    expect(updates.map(({ addLabels }) => [...new Set(addLabels)].sort().join(' '))).toEqual(
      proposals.map(() => labels),
    );
  },
);

test('pinning digests does not change the updates that Renovate proposes', () => {
  const listBranches = ({ branches }: Run) =>
    branches.flat().map(({ branchName, newValue }) => `${branchName} ${newValue}`);

  expect(pinned.lookups).toEqual(run.lookups);
  expect(listBranches(pinned)).toEqual(listBranches(run));
});

test('the Renovate preset causes no warnings and no requests to other sites', () => {
  expect([run.problems, run.attempts]).toEqual([[], []]);
});
