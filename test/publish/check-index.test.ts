import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Problem } from '../../src/core/errors.ts';
import { joinSubject } from '../../src/core/text.ts';
import { checkIndex } from '../../src/publish/check-index.ts';
import { program } from '../harness/example.ts';
import { sha1, sha256 } from '../harness/imitation.ts';
import { createIndex, links, today, type IndexFolder } from '../harness/index-folder.ts';
import { packageFile } from '../harness/site.ts';

async function check(index: Pick<IndexFolder, 'root' | 'out'>): Promise<string[]> {
  const { problems } = await checkIndex(
    { ...index, program },
    today,
    ({ packageName }) => packageName!.startsWith('@acme/'),
    new AbortController().signal,
  );
  return problems.map(
    ({ level, subject, message }: Problem) =>
      `${level ?? 'error'} ${joinSubject(subject.replace(`${index.root}/`, ''), message)}`,
  );
}

const define = (keys: object) => (index: IndexFolder) => index.edit('components/svc.json', keys);

test('check reports no problem in an index without mistakes', async () => {
  const index = createIndex();
  index.write('data/freshness.json', {});
  index.write('data/held.json', { held: [] });
  define({
    sources: [
      { datasource: 'npm', packageName: '@acme/agent' },
      { datasource: 'osv', url: 'https://a.example' },
    ],
    support: { policy: 'none', lines: { '2025.1': '2026-01-01' } },
  })(index);

  expect(await check(index)).toEqual([]);
});

test('check reports the problems of all files at once', async () => {
  const index = createIndex();
  await index.prepare('build');
  index.edit('site/site.json', { staleAfterDays: 'three' });
  index.edit('components/svc.json', { titel: 'x' });
  index.write('site/access.json', { users: [] });
  index.write('site/policies/mine.json', '{');
  index.write('data/svc.json', { releases: [{}] });
  index.write('data/journal/edge-node.ndjson', '{}\n');
  index.write('data/journal/gone.ndjson', '{}\n');
  index.write('data/runs/2026.ndjson', '[]\n');
  index.write('data/held.json', { held: 1 });
  index.write('data/decisions.ndjson', 'x\n');
  index.write('data/freshness.json', []);
  index.write('data/other.json', { releases: [] });
  writeFileSync(join(index.out, 'edge.json'), '{}');

  const subjects = (await check(index)).map((problem) => problem.split(/:|,| is | was /)[0]);

  expect([...new Set(subjects)].sort()).toEqual([
    'error components/svc.json',
    'error data/decisions.ndjson',
    'error data/freshness.json',
    'error data/held.json',
    'error data/journal/edge-node.ndjson',
    'error data/journal/gone.ndjson',
    'error data/other.json',
    'error data/runs/2026.ndjson',
    'error data/svc.json',
    'error edge.json',
    'error site/access.json',
    'error site/policies/mine.json',
    'error site/site.json',
  ]);
});

test('check still applies the defaults in site/site.json if that file has a mistake', async () => {
  const index = createIndex();
  define({ homepage: undefined, changelogUrl: undefined })(index);
  index.edit('site/site.json', { defaults: links, titel: 'x' });

  expect(await check(index)).toEqual([
    'error site/site.json: unknown key "titel"; did you mean title?',
  ]);
});

test('check accepts an end of support before the first release if the date of that release is unknown', async () => {
  const index = createIndex();
  define({ support: { policy: 'none', lines: { '2025.1': '2025-12-31' } } })(index);
  index.edit('data/svc.json', ({ releases }: { releases: { version: string }[] }) => ({
    releases: releases.map(({ version }) => ({
      version,
      timestampKind: 'observed',
      firstSeen: '2026-01-02',
    })),
  }));

  expect(await check(index)).toEqual([]);
});

test.each<[title: string, edit: (index: IndexFolder) => void, ...problems: string[]]>([
  [
    'data without a definition',
    (index) => index.write('components/edge-node.json', undefined),
    'error data/edge-node.json: components/edge-node.json is missing. If you removed the component, delete data/edge-node.json, too. If you renamed it, add "renamedFrom": ["edge-node"] to its new definition, and move data/edge-node.json and data/journal/edge-node.ndjson to its new name',
  ],
  [
    'an unreadable definition once, and not its data',
    define({ titel: 'x' }),
    'error components/svc.json: unknown key "titel"; did you mean title?',
  ],
  [
    'two components with one title',
    (index) => {
      index.edit('components/svc.json', { title: 'Agent' });
      index.edit('components/edge-node.json', { title: 'Agent' });
    },
    'warning components/svc.json: title: readers cannot tell it from components/edge-node.json, which is also called "Agent"',
  ],
  [
    'a workflow for another host',
    (index) => {
      index.edit('site/site.json', { hosting: { folder: '/srv/x' } });
      index.write('.github/workflows/daily.yml', 'runs-on: ubuntu-24.04');
    },
    'warning .github/workflows/daily.yml has no step of the host in site/site.json (folder), so readers there would keep the old site. Copy the step from the file that "npx release-index init" writes for this host',
  ],
  [
    'an "ended" policy whose day has not come',
    define({ support: { policy: 'ended', until: '2999-12-31' } }),
    `error components/svc.json: support.until: expected a day before ${today}; got "2999-12-31". "ended" is for components whose support has ended, and replaces the ends of all lines. Keep the former policy, and add "until": "2999-12-31" to it. If there was none: {"policy": "none", "until": "2999-12-31"}`,
  ],
  [
    'sources that have moved for good',
    (index) => {
      const registryUrl = 'https://old.example/npm/';
      index.edit('components/svc.json', {
        sources: [
          { datasource: 'npm', packageName: 'svc', registryUrl },
          { datasource: 'npm', packageName: 'agent', registryUrl: 'https://new.example' },
          { datasource: 'json', url: 'https://old.example/a.json' },
          { datasource: 'github-releases', packageName: 'old/svc' },
        ],
        support: { policy: 'stated', source: { datasource: 'endoflife-date', product: 'svc' } },
      });
      const moved = (path: string) => ({
        answeredOn: today,
        movedTo: `https://new.example/${path}`,
      });
      index.write('data/freshness.json', {
        svc: {
          'npm:svc': moved('npm/svc'),
          'npm:agent': moved('agent'),
          'json:https://old.example/a.json': moved('a.json'),
          'github-releases:old/svc': moved('repositories/1/releases'),
          'endoflife-date:svc': moved('svc'),
        },
      });
    },
    ...[
      ['sources[0].registryUrl: npm:svc', 'npm/svc'],
      ['sources[2].url: json:https://old.example/a.json', 'a.json'],
      ['sources[3].packageName: github-releases:old/svc', 'repositories/1/releases'],
      ['support.source.registryUrl: endoflife-date:svc', 'svc'],
    ].map(
      ([source, path]) =>
        `warning components/svc.json: ${source} has moved for good to https://new.example/${path}. Write the new address, because the old one may end`,
    ),
  ],
  [
    'an end for a line without releases',
    define({ support: { policy: 'none', lines: { '2024.1': '2026-01-01' } } }),
    'warning components/svc.json: support.lines["2024.1"]: no release is in this line',
  ],
  [
    'an end before the line began',
    define({ support: { policy: 'none', lines: { '2025.1': '2025-12-31' } } }),
    'warning components/svc.json: support.lines["2025.1"]: 2025-12-31 is before the line\'s first release (2026-01-01)',
  ],
  [
    'rules for versions that are not in the index',
    define({
      deprecated: [{ versions: ['2025.1.9'], reason: 'Broken.' }],
      advisories: [{ id: 'X-1', affected: '<1', fixed: ['9'], severity: 'high' }],
    }),
    'warning components/svc.json: deprecated[0].versions: "2025.1.9" matches no release of the index',
    'warning components/svc.json: advisories: X-1: affected: "<1" matches no release of the index',
    'warning components/svc.json: advisories: X-1: fixed: "9" matches no release of the index',
  ],
  [
    'a required stop without a release, although later releases exist',
    define({ requiredStops: { lines: ['2024.9', '2025.9', '2099.1'] } }),
    'warning components/svc.json: requiredStops: no release of 2025.9 can be installed, so Renovate proposes nothing beyond it',
  ],
  [
    'a rule for required stops that selects no line',
    define({ requiredStops: { lines: '/^9\\./' } }),
    'warning components/svc.json: requiredStops: /^9\\./ matches no release line, so there is no stop',
  ],
  [
    'required stops at lines with long-term support, although there is no such line',
    define({ requiredStops: { lines: 'lts' } }),
    'warning components/svc.json: requiredStops: no release line has long-term support, so there is no stop',
  ],
  [
    'a private package name that OSV is sent',
    define({ sources: [{ datasource: 'npm', packageName: '@acme/agent' }, { datasource: 'osv' }] }),
    'warning components/svc.json: OSV is sent the name "@acme/agent", which may be private. If it is, remove the osv source',
  ],
  [
    'a release that two sources spell differently',
    (index) => {
      const releases = ['2026.1', '2026.1.0', '2026.2', '2026.2.0', '2026.3', '2026.3.0'].map(
        (version, place) => ({
          version,
          sources: place % 2 === 0 || place > 3 ? ['npm:svc'] : ['git'],
        }),
      );
      index.write('data/svc.json', { releases });
    },
    'warning components/svc.json: sources: 2026.2 (npm:svc) and 2026.2.0 (git) are probably one release in two spellings (2 such pairs). Exclude one spelling by "allowedVersions" in its source',
  ],
  [
    'a release with digests of several files, none of which is chosen',
    (index) => {
      const digests = [sha256('a'), sha256('b'), sha1('a')];
      const latest = { version: '2026.1.4', sources: ['github', 'npm'], digests };
      index.write('data/svc.json', { releases: [latest] });
    },
    'notice components/svc.json: sources: 2026.1.4 has 2 SHA-256 digests (github, npm), so none is published. In github-releases and pypi, choose one file or several by "digestOf"',
  ],
  [
    'a digestOf pattern that matches no file or several files of the newest release',
    (index) => {
      const digestOf = { amd64: 'amd64', arm64: 'aarch64', any: '^svc' };
      index.edit('components/svc.json', {
        sources: [{ datasource: 'github-releases', packageName: 'a/b', digestOf }],
      });
      const assets = ['svc_amd64.tgz', 'svc_arm64.tgz'];
      const latest = { version: '2026.1.4', sources: [], assets, files: { amd64: sha256('a') } };
      index.write('data/svc.json', { releases: [latest] });
    },
    'warning components/svc.json: sources[0].digestOf["arm64"]: expected a pattern for one file of 2026.1.4; it matches no file of svc_amd64.tgz, svc_arm64.tgz. Until it is corrected, no svc/<name>.json lists 2026.1.4',
    'warning components/svc.json: sources[0].digestOf["any"]: expected a pattern for one file of 2026.1.4; it matches svc_amd64.tgz, svc_arm64.tgz of svc_amd64.tgz, svc_arm64.tgz. Until it is corrected, no svc/<name>.json lists 2026.1.4',
  ],
])('check reports %s', async (_, edit, ...problems) => {
  const index = createIndex();
  edit(index);

  expect(await check(index)).toEqual(problems);
});

test.each([
  'data/journal/svc.ndjson',
  'data/runs/2026.ndjson',
  'site/site.json',
  'components/other.json',
  `program/${packageFile}`,
])('check and build report once that %s is a folder instead of a file', async (path) => {
  const index = createIndex();
  rmSync(join(index.root, path), { force: true });
  mkdirSync(join(index.root, path), { recursive: true });

  for (const verb of ['check', 'build']) {
    const { status, stderr } = await index.run(verb);
    const lines = stderr.split('\n').filter((line) => line.includes('got a folder'));
    expect(lines).toEqual([
      expect.stringContaining(`error: ${path}: expected a file; got a folder`),
    ]);
    expect(status).toBe(1);
  }
});

test('check does not follow a link in components/, and ignores files of file managers', async () => {
  const index = createIndex();
  await index.run('build');
  for (const path of ['components/.DS_Store', 'dist/.DS_Store', 'dist/details/._svc.json']) {
    index.write(path, 'x');
  }
  const sound = [await index.run('check'), await index.run('build')];
  expect(sound).toMatchObject([{ status: 0 }, { status: 0 }]);

  symlinkSync('/proc/self/environ', join(index.root, 'components/environ.json'));
  expect(await check(index)).toEqual([
    'error components/environ.json is a symbolic link. Put the file itself there',
  ]);
});

test('a name that two components share is reported by check, and rejected by build', async () => {
  const index = createIndex();
  define({ aliases: ['Edge'] })(index);
  const problem = 'components/svc.json: several components share the name "edge": edge-node, svc';
  const { status, stderr } = await index.run('build');

  expect(await check(index)).toEqual([`error ${problem}`]);
  expect([status, stderr]).toEqual([1, expect.stringContaining(problem)]);
});

test('check and build accept a byte order mark in every JSON file that people write', async () => {
  const index = createIndex();
  const policy = { description: 'Ours.', remediation: 'Move.', query: 'isSupported' };
  index.write('site/policies/ours.json', policy);
  index.write('site/access.json', { users: [{ username: 'anna' }] });
  const own = ['site/policies/ours.json', 'site/access.json'];
  for (const path of ['site/site.json', 'components/svc.json', ...own]) {
    index.write(path, `\uFEFF${index.read(path)}`);
  }

  expect(await check(index)).toEqual([]);
  await index.prepare('build');
});
