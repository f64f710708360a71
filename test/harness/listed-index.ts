/** A small index of what lists of every kind name: of each component, one version has ended and one is supported. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildSite } from '../../src/site/build.ts';
import { loadIndex } from '../../src/site/load-index.ts';
import { writeIndex, type Facts } from './components.ts';
import { program } from './example.ts';

function define(datasource: string, packageName: string, ended: string, latest: string): Facts {
  const source =
    datasource === 'static' ? { datasource, releases: [] } : { datasource, packageName };
  return {
    definition: { sources: [source], support: { policy: 'latest-lines', count: 1 } },
    releases: { [ended]: '2023-01-01', [latest]: '2026-01-01' },
  };
}

export const listedIndex = writeIndex(
  {
    express: define('npm', 'express', '4.18.2', '5.3.0'),
    nginx: define('static', '', '1.24.0', '1.30.0'),
    worker: define('docker', 'team/worker', '3.1', '4.0'),
    skiff: define('github-releases', 'HarborWorks/skiff', 'v0.9.4', 'v1.2.0'),
    rails: define('rubygems', 'rails', '6.1.7', '8.0.0'),
    setuptools: define('pypi', 'setuptools', '65.5.0', '84.0.0'),
    serde: define('crate', 'serde_json', '0.9.0', '1.0.100'),
    core: define('maven', 'org.example:core', '1.0.0', '3.0.0'),
    nodejs: define('static', '', '18.1.0', '24.1.0'),
  },
  { staleAfterDays: 1_000_000 },
);

/** Built as of a fixed day. */
export const listedSite = join(listedIndex, 'dist');
const { index } = loadIndex(listedIndex, '2026-11-27', program);
buildSite(index, { program, root: listedIndex, out: listedSite });

export const listsFolder = join(program, 'test/fixtures/lists');

const refused = readdirSync(join(listsFolder, 'refused')).map((name) => `refused/${name}: 0 of 1`);

/** Lists, by the exit status of a scan: how many entries have a verdict, of how many. */
const lists: readonly (readonly [status: number, lists: readonly string[]])[] = [
  [
    0,
    [
      'Cargo.lock: 0 of 1',
      'Dockerfile: 0 of 3',
      'Gemfile.lock: 0 of 2',
      'cargo-tree.txt: 0 of 2',
      'compose.yaml: 0 of 3',
      'composer.lock: 0 of 2',
      'docker-images.txt: 0 of 2',
      'go.mod: 0 of 3',
      'gradle-dependencies.txt: 0 of 3',
      'gradle.lockfile: 0 of 2',
      'mvn-dependency-list.txt: 0 of 2',
      'npm-ls.json: 0 of 5',
      'npm-ls.txt: 0 of 3',
      'package-lock.json: 0 of 3',
      'poetry.lock: 0 of 1',
      'spdx-3.json: 0 of 4',
      'tools/compose-others.yaml: 0 of 2',
      'tools/docker-images-29.txt: 0 of 2',
      'tools/docker-service-ls.txt: 0 of 2',
      'tools/dpkg-query.txt: 0 of 3',
      'tools/kubectl-jsonpath-others.txt: 0 of 2',
      'tools/pod.yaml: 2 of 2',
      'tools/requirements.txt: 1 of 6',
      'tools/rpm-qa-others.txt: 0 of 2',
      'tools/tool-versions: 1 of 2',
      'uv.lock: 0 of 1',
    ],
  ],
  [
    1,
    [
      'tools/.nvmrc: 1 of 1',
      'tools/Dockerfile: 1 of 3',
      'tools/bun-pm-ls.txt: 1 of 3',
      'tools/bundle-list.txt: 1 of 4',
      'tools/cargo-tree.txt: 1 of 4',
      'tools/code.md: 1 of 2',
      'tools/conda-list-export.txt: 1 of 3',
      'tools/crictl-images.txt: 1 of 2',
      'tools/fails-and-prose.txt: 1 of 2',
      'tools/gem-list.txt: 2 of 7',
      'tools/go-list.txt: 2 of 4',
      'tools/gradle-dependencies.txt: 1 of 3',
      'tools/kubectl-jsonpath.txt: 2 of 3',
      'tools/kubectl-wide.txt: 1 of 2',
      'tools/mvn-list.txt: 1 of 2',
      'tools/mvn-tree.txt: 1 of 3',
      'tools/npm-ls-all.txt: 1 of 7',
      'tools/npm-ls.json: 1 of 3',
      'tools/npm-ls.txt: 1 of 3',
      'tools/npm-outdated.txt: 1 of 4',
      'tools/pip-list-freeze.txt: 1 of 2',
      'tools/pip-list-outdated.txt: 1 of 2',
      'tools/pip-list.json: 1 of 2',
      'tools/pip-list.txt: 1 of 2',
      'tools/pnpm-ls-depth-infinity.txt: 1 of 9',
      'tools/pnpm-ls-long.txt: 1 of 4',
      'tools/pnpm-ls.json: 1 of 4',
      'tools/pnpm-ls.txt: 1 of 4',
      'tools/servicenow.csv: 1 of 2',
      'tools/sort-uniq-c.txt: 1 of 2',
      'tools/table.md: 1 of 2',
      'tools/yarn-info-name-only.txt: 1 of 6',
      'tools/yarn-list.txt: 1 of 4',
      'tools/yarn-outdated.txt: 1 of 10',
    ],
  ],
  [
    3,
    [
      'cyclonedx.json: 0 of 4',
      'spdx.json: 0 of 5',
      'tools/.python-version: 0 of 1',
      'tools/apk-info.txt: 0 of 3',
      'tools/apk-list.txt: 0 of 2',
      'tools/apt-list.txt: 0 of 3',
      'tools/compose.yaml: 0 of 2',
      'tools/docker-compose-ps.txt: 0 of 2',
      'tools/docker-ps.txt: 0 of 3',
      'tools/dpkg-l.txt: 0 of 6',
      'tools/empty-cell.csv: 1 of 3',
      'tools/helm-list.txt: 0 of 2',
      'tools/pnpm-ls-parseable.txt: 0 of 5',
      'tools/prose.txt: 0 of 2',
      'tools/requirements-r.txt: 1 of 7',
      'tools/rpm-qa.txt: 0 of 2',
      'tools/tool-versions-lts: 0 of 2',
      'tools/with-host.txt: 0 of 1',
      ...refused,
    ],
  ],
];

export const cases = lists.flatMap(([status, listed]) =>
  listed.map((each) => ({ status, file: each.split(': ')[0]!, counts: each.split(': ')[1]! })),
);
