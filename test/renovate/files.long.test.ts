import { describe, expect, test } from 'vitest';
import { addDays, today } from '../../src/core/day.ts';
import type { Facts } from '../harness/components.ts';
import { digestOf as hex, fileDigest } from '../harness/imitation.ts';
import { release } from '../harness/judging.ts';
import { runRenovate } from './client.ts';
import { serveSite, writeComment } from './site.ts';
import { writeUpdates } from './steps.ts';

const both = ['amd64', 'arm64'];

/**
 * Creates a release for each version, with files of these names. Each release is one day newer than the release before it. If `isLastWhole`
 * is false, the last release still lacks a file. All other releases have all their files.
 */
function listFiles(names: Readonly<Record<string, string[]>>, isLastWhole = true): Facts {
  const entries = Object.entries(names);
  const releases = entries.map(([version, own], place) => {
    const files = own.map((name) => [name, fileDigest(version, name)]);
    return release(version, addDays(today(), place - 90), {
      files: Object.fromEntries(files),
      ...((isLastWhole || place < entries.length - 1) && { hasAllFiles: true }),
    });
  });
  return { releases };
}

const usual = { '2025.1': both, '2025.2': both, '2026.1': both };
const deprecated = [{ versions: '<2025.2', reason: 'Leaks.' }];
/** Components, each with the version to which Renovate must update a pin of 2025.1. */
const components: Record<string, [Facts, after: string]> = {
  svc: [listFiles(usual), '2026.1'],
  other: [listFiles(usual), '2026.1'],
  // Release 2026.1 still lacks its second file, so Renovate must wait for it.
  waiting: [listFiles({ ...usual, '2026.1': ['amd64'] }, false), '2025.2'],
  old: [{ ...listFiles(usual), definition: { deprecated } }, '2026.1'],
  added: [listFiles({ ...usual, '2026.1': [...both, 'windows'] }), '2026.1'],
};

/**
 * Files with pins:
 * - `~`: Renovate's comment
 * - `&`: the component
 * - `$`: the version
 * - `#name`: the digest of a file
 */
const files: Record<string, string> = {
  Dockerfile: `# ~& packageName=&/amd64
ARG &_VERSION=$
# ~& packageName=&/amd64 digestVersion=$
ARG &_SHA256_AMD64=#amd64
# ~& packageName=&/arm64 digestVersion=$
ARG &_SHA256_ARM64="#arm64"`,
  'b/Dockerfile': `# ~& packageName=&/amd64
ARG &_SHA256_AMD64=#amd64
ARG &_VERSION=$
# ~& packageName=&/arm64 digestVersion=$
ARG &_SHA256_ARM64=#arm64`,
  'install.sh': `# ~& packageName=&/amd64 digestVersion=$
&_SHA256_AMD64=#amd64
# ~& packageName=&/arm64 digestVersion=$
&_SHA256_ARM64=\${SHA256:-#arm64}
# ~& packageName=&/arm64
&_VERSION=$`,
  '.github/workflows/ci.yml': `  # ~& packageName=&/arm64 digestVersion=$
  &_SHA256_ARM64: "#arm64"
  # ~& packageName=&/amd64
  &_VERSION: "$"
  # ~& packageName=&/amd64 digestVersion=$
  &_SHA256_AMD64: #amd64 # of the archive`,
  '.gitlab-ci.yml': `  # ~& packageName=&/amd64
  &_VERSION: "$"
  # ~& packageName=&/amd64 digestVersion=$
  &_SHA256_AMD64: "#amd64"
  # ~& packageName=&/arm64 digestVersion=$
  &_SHA256_ARM64: "#arm64"`,
  'gradle.properties': `# ~& packageName=&/amd64
&.version=$
# ~& packageName=&/amd64 digestVersion=$
&.sha256.amd64=#amd64
# ~& packageName=&/arm64 digestVersion=$
&.sha256.arm64=#arm64`,
};

/** Writes all files with these versions. The Dockerfile has the pins of all components. The other files have the pins of `svc`. */
function writeAll(versionOf: (component: string) => string): Record<string, string> {
  const texts = Object.entries(files).map(([file, text]) => {
    const names = file === 'Dockerfile' ? Object.keys(components) : ['svc'];
    const blocks = names.map((name) =>
      writeComment(text)
        .trimEnd()
        .replaceAll('&', name)
        .replaceAll(/\$(?!\{)/g, versionOf(name))
        .replaceAll(/#(\w+64)/g, (_, own: string) => hex(`${versionOf(name)} ${own}`)),
    );
    return [file, `# The versions\n${blocks.join('\n')}\n`];
  });
  return Object.fromEntries(texts);
}

describe.each(['config:recommended', 'config:best-practices'])(
  'with the Renovate preset %s',
  (own) => {
    test('Renovate updates a version and the checksums of all files of that version in one branch', async () => {
      const facts = Object.entries(components).map(([name, [each]]) => [name, each]);
      const site = await serveSite(Object.fromEntries(facts), today());
      const config = {
        extends: [own, `${site.origin}/renovate.json`],
        dependencyDashboard: false,
        separateMajorMinor: false,
      };
      const before = writeAll(() => '2025.1');
      const run = await runRenovate({ 'renovate.json': config, ...before }, site.origin);
      const names = run.branches.map((branch) => [
        ...new Set(branch.map(({ depName }) => depName)),
      ]);

      expect(names.flat().sort()).toEqual(Object.keys(components).sort());
      expect(run.branches).toHaveLength(Object.keys(components).length);
      expect(await writeUpdates(before, run.branches.flat())).toEqual(
        writeAll((name) => components[name]![1]),
      );
      expect(run.problems).toEqual([]);
    });
  },
);
