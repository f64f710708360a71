import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readFiles } from '../harness/components.ts';
import { exampleDay, program } from '../harness/example.ts';
import { runRenovate, type Run } from './client.ts';
import { serveSite, writeComment } from './site.ts';

type Pin = [file: string, pin: string, proposed: string, labels: string];

/** In the texts, `~` stands for what Renovate reads in a comment, and `$` for the version. */
const texts = readFiles(join(program, 'test/fixtures/renovate/example'));
const pins: Pin[] = [
  ['Dockerfile', '2025.1', '2025.4 2026.3', 'unsupported'],
  ['.github/workflows/ci.yml', '2025.2', '2025.4 2026.3', 'support-ends'],
  ['.gitlab-ci.yml', 'v2022.2.5', 'v2026.3', 'deprecated unsupported'],
  ['bitbucket-pipelines.yml', '2026.3', '', ''],
  ['server.tfvars', '2024.1.3', '2026.3', 'unsupported'],
  ['Chart.yaml', '2023.4', '2026.3', 'unsupported'],
  // Such a version was never released.
  ['deploy/server.yaml', '2025.9', '2026.3', ''],
  ['Makefile', '1.17', '1.23.0', 'deprecated'],
  ['install.sh', '1.20', '1.23.0', ''],
  ['.tool-versions', '1.23.0', '', ''],
  ['pom.xml', '1.23.1', '1.23.2 2.5.0', ''],
  ['gradle/libs.versions.toml', '3.16.2', '3.19.2 4.5.0', 'deprecated'],
  ['gradle.properties', '2.0', '4.5.0', 'deprecated'],
  ['package.json', '3.0.0', '3.0.1 4.1.1', ''],
  ['main.tf', '21.0', 'edge-node@2.1.0', 'deprecated support-ends'],
  ['.env', '1.7.0', '2.1.0', ''],
  ['charts/values.yaml', '2.1.0', '', ''],
  ['compose.yaml', '2.0.1', '2.3.0', ''],
  ['mise.toml', '1.0.0', '1.5.0', ''],
  ['build.gradle.kts', '3.1.1', '3.8.0', ''],
  ['Jenkinsfile', '1.4.4', '1.4.5', ''],
];

let run: Run;
let pinned: Run;
beforeAll(async () => {
  const site = await serveSite(undefined, exampleDay);
  const apart = { matchPackageNames: ['*'], additionalBranchPrefix: '{{packageFile}}-' };
  const preset = `${site.origin}/renovate.json`;
  const files = pins.map(([file, pin]) => {
    const text = texts.get(file)!.trimEnd();
    return [file, writeComment(text.replace(/\$(?!\{)/, pin), 'release-index')];
  });
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

test.each(pins)('in %s, %s gets "%s" and the labels "%s"', (file, pin, proposed, labels) => {
  const lookups = run.lookups.filter((each) => each.file === file && each.pin === pin);
  const updates = run.branches.flat().filter(({ packageFile }) => packageFile === file);
  const proposals = proposed.split(' ').filter(Boolean);

  expect(lookups).toMatchObject([{ proposed: proposals }]);
  expect(updates.map(({ addLabels }) => [...new Set(addLabels)].sort().join(' '))).toEqual(
    proposals.map(() => labels),
  );
});

test('readers who pin digests get the same proposals and branches', () => {
  const listBranches = ({ branches }: Run) =>
    branches.flat().map(({ branchName, newValue }) => `${branchName} ${newValue}`);

  expect(pinned.lookups).toEqual(run.lookups);
  expect(listBranches(pinned)).toEqual(listBranches(run));
});

test('nothing but the site is asked, and Renovate has no complaint', () => {
  expect([run.problems, run.attempts]).toEqual([[], []]);
});
