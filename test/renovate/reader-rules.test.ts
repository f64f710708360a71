import { afterAll, beforeAll, expect, test } from 'vitest';
import siteConfig from '../../site/site.json' with { type: 'json' };
import { addMonths } from '../../src/core/model/dates.ts';
import { serve, startUpstream, type Document, type Upstream } from '../harness/upstream.ts';
import { runRenovate, type Run } from './client.ts';
import { pullRequestBodies } from './pull-request.ts';
import { daysAgo, serveComponents, type ServedSite } from './site.ts';

/** The releases of each package, with their ages in days. */
const ages = { '2025.1.0': 600, '2025.2.0': 500, '2026.1.0': 100, '2026.2.0': 30 };
const versions = Object.keys(ages);
const proposal = '2026.2.0';

let upstream: Upstream;
let served: ServedSite;
let files: Record<string, string> = {};

beforeAll(async () => {
  upstream = await startUpstream((url) => serve(registry(url)));
  const registryUrl = upstream.url.slice(0, -1);
  served = await serveComponents({
    svc: {
      definition: {
        support: { policy: 'term', months: 18 },
        deprecated: [{ versions: ['2025.2.0'], reason: 'Loses data.' }],
        advisories: [{ id: 'CVE-2026-1', affected: '<2025.2.0', severity: 'high' }],
        sources: [
          { datasource: 'docker', packageName: 'example/server', registryUrl },
          { datasource: 'helm', packageName: 'server', registryUrl: `${registryUrl}/charts` },
          { datasource: 'maven', packageName: 'com.example:server' },
          { datasource: 'npm', packageName: '@example/server' },
        ],
        aliases: ['pkg:pypi/example-server'],
      },
      // As spelt in the registries, which also have them.
      releases: Object.entries(ages).map(([version, ago]) => ({
        version,
        releaseTimestamp: daysAgo(ago),
        source: 'npm:@example/server',
      })),
    },
  });
  files = repository(new URL(upstream.url).host, upstream.url);
});

afterAll(async () => {
  await served?.close();
  await upstream?.close();
});

/** A repository of a reader: with its own configuration, and with these presets of the index. */
function look(own: ReaderConfig, presets: readonly string[]): Promise<Run> {
  const base = ownConfig(upstream.url);
  const configuration = {
    ...base,
    ...own,
    extends: [...(own.extends ?? []), ...presets],
    packageRules: [...base.packageRules, ...(own.packageRules ?? [])],
  };

  return runRenovate(
    { ...files, 'renovate.json': JSON.stringify(configuration) },
    {
      origin: served.origin,
      hostRules: [
        { matchHost: upstream.url, allowInternal: true },
        { matchHost: upstream.url.replace('http:', 'https:'), insecureRegistry: true },
      ],
    },
  );
}

interface ReaderConfig {
  extends?: string[];
  packageRules?: object[];
  [option: string]: unknown;
}

const onlyNpm = { matchPackageNames: ['@example/server'] };

/** Rules that readers have, each with a sign in a run that it did something. */
const readerRules: [what: string, own: ReaderConfig, sign: RegExp][] = [
  ['none', {}, /"newVersion":"2026.2.0"/],
  ['a package that is disabled', { packageRules: [{ ...onlyNpm, enabled: false }] }, /"disabled"/],
  [
    'versions that are not allowed',
    { packageRules: [{ matchPackageNames: ['@example/**'], allowedVersions: '<2026.2' }] },
    /"newVersion":"2026.1.0"/,
  ],
  [
    'an age by datasource',
    {
      packageRules: [
        { matchDatasources: ['npm', 'docker'], minimumReleaseAge: '60 days' },
        { matchDatasources: ['helm'], minimumReleaseAge: '3 days' },
      ],
    },
    /"pendingChecks":true/,
  ],
  ['the best practices of Renovate', { extends: ['config:best-practices'] }, /"pinDigest"/],
  [
    'a group',
    { packageRules: [{ matchDatasources: ['docker', 'npm', 'maven'], groupName: 'servers' }] },
    /"groupName":"servers"/,
  ],
  [
    'updates that merge themselves',
    {
      packageRules: [
        { matchDatasources: ['docker', 'npm'], matchUpdateTypes: ['minor'], automerge: true },
      ],
      labels: ['dependencies'],
      addLabels: ['ours'],
    },
    /"automerge":true/,
  ],
  ['digests of images', { extends: ['docker:pinDigests'] }, /"pinDigest"/],
  [
    'a fix, as Renovate itself adds a rule for one',
    {
      packageRules: [
        {
          matchDatasources: ['npm'],
          ...onlyNpm,
          matchCurrentVersion: '2025.1.0',
          versioning: 'npm',
          allowedVersions: '2025.2.0',
          isVulnerabilityAlert: true,
          prBodyNotes: ['### Theirs'],
        },
      ],
    },
    /"isVulnerabilityAlert":true/,
  ],
];

test.each(readerRules)(
  'the preset changes no proposal of 60 pins of 19 managers, with this rule of a reader: %s',
  async (_, own, sign) => {
    const without = await look(own, []);
    const withPreset = await look(own, [`${served.origin}/renovate.json`]);

    expect(pinsOf(without)).toHaveLength(60);
    expect(pinsOf(withPreset)).toEqual(pinsOf(without));
    expect(JSON.stringify([pinsOf(without), ...updatesOf(without).values()])).toMatch(sign);
    expect(updatesOf(without).size).toBeGreaterThan(40);
    expect(differencesOf(without, withPreset)).toEqual([]);
    expect(withPreset.problems).toEqual(without.problems);
  },
);

/** Each pin with everything that Renovate found out about it. */
function pinsOf({ packageFiles }: Run): unknown[] {
  return packageFiles
    .filter(({ packageFile }) => packageFile !== 'renovate.json' && !isCommented(packageFile))
    .flatMap(({ packageFile, deps }) => deps.map((dependency) => ({ packageFile, ...dependency })))
    .toSorted(byText);
}

const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/** The configuration that the preset adds to: all else of an update stays. */
const added = [
  '$schema',
  'addLabels',
  'prBodyNotes',
  'prBodyDefinitions',
  'customDatasources',
  'customManagers',
  'baseDeps',
];

/** Each update with its whole configuration: group, age, automerge, labels, priority, schedule and all else. */
function updatesOf({ branches }: Run): Map<string, Record<string, unknown>> {
  const updates = branches.flat().filter(({ packageFile }) => !isCommented(packageFile));

  return new Map(
    updates.map((upgrade) => {
      const { packageFile, depName, currentValue, newValue, depIndex, branchName } = upgrade;
      const entries = Object.entries(upgrade).filter(([key]) => !added.includes(key));
      const labelsOfReader = upgrade.addLabels?.filter((label) => !ownLabels.includes(label)) ?? [];
      const key = [packageFile, depIndex, depName, currentValue, newValue, branchName].join(' ');

      return [key, { ...Object.fromEntries(entries), labelsOfReader }];
    }),
  );
}

/** The options of an update that only one of both runs has, or has otherwise. */
function differencesOf(without: Run, withPreset: Run): string[] {
  const [before, after] = [updatesOf(without), updatesOf(withPreset)];
  const names = [...new Set([...before.keys(), ...after.keys()])];

  return names.flatMap((name) => {
    const [one = {}, other = {}] = [before.get(name), after.get(name)];
    const options = [...new Set([...Object.keys(one), ...Object.keys(other)])];

    return options
      .filter((option) => JSON.stringify(one[option]) !== JSON.stringify(other[option]))
      .map((option) => `${name}: ${option}`);
  });
}

const ownLabels = ['unsupported', 'support-ends', 'deprecated', 'security'];

test('every pull request says what is known of each of its versions, and has the labels', async () => {
  const withPreset = await look({}, [`${served.origin}/renovate.json`]);
  const bodies = await pullRequestBodies(withPreset.branches);

  const told: string[] = [];
  for (const [index, upgrades] of withPreset.branches.entries()) {
    for (const {
      packageFile,
      currentValue,
      currentVersion,
      newVersion,
      addLabels = [],
    } of upgrades) {
      const lines = Array.from(
        bodies[index]!.matchAll(/^\*\*\[svc (.+?)\]\((.+?)\)\*\*: (.+)$/gm),
        ([, version, link, text]) => ({ version, link, text: text! }),
      ).filter(
        ({ version, link }) =>
          version === currentVersion && link!.endsWith(`svc.html#v${currentVersion}`),
      );
      const expected = expectedFor(currentVersion.replace(/^v/, ''), newVersion);

      expect([packageFile, currentValue, lines.map(({ text }) => text)]).toEqual([
        packageFile,
        currentValue,
        [expected.says.join(' ')],
      ]);
      expect([packageFile, ...new Set(addLabels)].sort()).toEqual(
        [packageFile, ...expected.labels].sort(),
      );
      told.push(`${packageFile} ${currentValue}`);
    }
  }

  const all = rowsOf(withPreset).map(([file, pin]) => `${file} ${pin}`);
  expect([...new Set(told)].sort()).toEqual([...new Set(all)].sort());
});

/** Each lookup with its proposals, in the order of files. */
function rowsOf({ lookups }: Run): string[][] {
  return lookups
    .filter(({ file }) => file !== 'renovate.json')
    .map(({ file, pin, values }) => [file, pin, ...values])
    .sort((a, b) => (a.join(' ') < b.join(' ') ? -1 : 1));
}

function isCommented(file = ''): boolean {
  return file.startsWith('commented/');
}

function expectedFor(version: string, newVersion: string): { says: string[]; labels: string[] } {
  const key = versions.find((each) => each.startsWith(version))!;
  const end = (of: string) => addMonths(daysAgo(ages[of as keyof typeof ages]), 18);
  const support = `End of support: ${end(key)}. A release line is supported for 18 months from its first release.`;
  const newKey = versions.find((each) => each.startsWith(newVersion))!;
  const next = `End of support of ${newVersion}: ${end(newKey)}.`;
  const says: Record<string, string[]> = {
    '2025.1.0': ['Affected by CVE-2026-1 (high).', support, next],
    '2025.2.0': [support, 'Deprecated: Loses data.', next],
    '2026.1.0': [support, next],
  };
  const labels: Record<string, string[]> = {
    '2025.1.0': ['security', 'unsupported'],
    '2025.2.0': ['deprecated', 'support-ends'],
    '2026.1.0': [],
  };

  return { says: says[key]!, labels: labels[key]! };
}

function ownConfig(url: string): { kubernetes: object; packageRules: object[] } {
  const at = (datasource: string, path: string) => ({
    matchDatasources: [datasource],
    registryUrls: [`${url}${path}`],
  });

  return {
    kubernetes: { managerFilePatterns: ['/^k8s/.+\\.yaml$/'] },
    // Each file has pull requests of its own.
    packageRules: [
      at('maven', 'maven/'),
      at('pypi', 'simple/'),
      at('npm', 'npm/'),
      {
        matchPackageNames: ['*'],
        additionalBranchPrefix: '{{packageFile}}-{{currentValue}}-',
        separateMajorMinor: false,
      },
    ],
  };
}

/** 60 pins of packages, and four below comments. */
function repository(host: string, url: string): Record<string, string> {
  const image = (version: string) => `${host}/example/server:${version}`;
  const [first, second, third] = versions as [string, string, string];
  const comment = `# renovate: datasource=custom.${siteConfig.datasource} depName=svc\n`;
  const chart = (version: string) =>
    `apiVersion: v2\nname: app\nversion: 1.0.0\ndependencies:\n  - name: server\n    version: ${version}\n    repository: ${url}charts\n`;
  const release = (version: string, place: number) =>
    `resource "helm_release" "server${place}" {\n  name       = "server"\n  repository = "${url}charts"\n  chart      = "server"\n  version    = "${version}"\n}\n`;
  const maven = (version: string) =>
    `<dependency><groupId>com.example</groupId><artifactId>server</artifactId><version>${version}</version></dependency>`;
  const pod = (version: string) =>
    `apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    - name: server\n      image: ${image(version)}\n`;
  const npm = (group: string, version: string) =>
    `{\n  "${group}": {\n    "@example/server": "${version}"\n  }\n}\n`;
  const project = (version: string) =>
    `[project]\nname = "app"\nversion = "1.0.0"\ndependencies = [\n  "example-server==${version}",\n]\n`;

  const helmfile = (...each: string[]) =>
    `repositories:\n  - name: ours\n    url: ${url}charts\nreleases:\n${each.map((version, place) => `  - name: s${place}\n    chart: ours/server\n    version: ${version}\n`).join('')}`;

  return {
    Dockerfile: `FROM ${image(first)} AS base\nFROM --platform=linux/amd64 ${image(second)}\nCOPY --from=${image(third)} /a /b\n`,
    'api/Dockerfile': `FROM ${image(third)}\nFROM ${image(first)}\n`,
    'compose.yaml': `services:\n  a:\n    image: ${image(first)}\n  b:\n    image: "${image(second)}"\n  c:\n    image: ${image(third)}\n`,
    'k8s/a.yaml': pod(first),
    'k8s/b.yaml': pod(second),
    'k8s/c.yaml': pod(third),
    'a/values.yaml': `image:\n  repository: ${host}/example/server\n  tag: ${first}\n`,
    'b/values.yaml': `server:\n  image:\n    repository: ${host}/example/server\n    pullPolicy: Always\n    tag: "${second}"\n`,
    'c/values.yaml': `image:\n  repository: ${host}/example/server\n  tag: ${third}\n`,
    'a/Chart.yaml': chart(first),
    'b/Chart.yaml': chart(second),
    'c/Chart.yaml': chart(third),
    'pom.xml': `<project xmlns="http://maven.apache.org/POM/4.0.0">\n<dependencies>\n${maven(first)}\n</dependencies>\n</project>\n`,
    'b/pom.xml': `<project xmlns="http://maven.apache.org/POM/4.0.0">\n<properties><server.version>${second}</server.version></properties>\n<dependencies>\n${maven('${server.version}')}\n</dependencies>\n</project>\n`,
    '.mvn/extensions.xml': `<extensions xmlns="http://maven.apache.org/EXTENSIONS/1.0.0"><extension><groupId>com.example</groupId><artifactId>server</artifactId><version>${third}</version></extension></extensions>\n`,
    'build.gradle': `dependencies {\n  implementation 'com.example:server:${first}'\n}\n`,
    'app/build.gradle.kts': `dependencies {\n  implementation("com.example:server:${second}")\n}\n`,
    'gradle/libs.versions.toml': `[libraries]\nserver = { module = "com.example:server", version = "${third}" }\n`,
    'package.json': npm('dependencies', first),
    'b/package.json': npm('devDependencies', second),
    'c/package.json': npm('dependencies', third),
    'requirements.txt': `example-server==${first}\n`,
    'b/requirements-dev.txt': `example-server==${second} ; python_version > "3"\n`,
    'c/requirements.txt': `# server\nexample-server==${third}\n`,
    'pyproject.toml': project(first),
    'b/pyproject.toml': project(second),
    'c/pyproject.toml': project(third),
    '.github/workflows/a.yml': `jobs:\n  build:\n    runs-on: self-hosted\n    container:\n      image: ${image(first)}\n    steps:\n      - uses: docker://${image(second)}\n`,
    '.github/workflows/b.yml': `jobs:\n  build:\n    runs-on: self-hosted\n    services:\n      server:\n        image: ${image(third)}\n`,
    '.gitlab-ci.yml': `image: ${image(first)}\nbuild:\n  image: ${image(second)}\n  script: []\n`,
    'main.tf': [first, second, third].map(release).join(''),
    'kustomize/kustomization.yaml': `kind: Kustomization\nimages:\n  - name: ${host}/example/server\n    newTag: ${first}\n`,
    'kustomize/b/kustomization.yaml': `kind: Kustomization\nimages:\n  - name: ${host}/example/server\n    newTag: ${second}\nhelmCharts:\n  - name: server\n    repo: ${url}charts\n    version: ${third}\n`,
    'helmfile.yaml': helmfile(first, second, third),
    '.woodpecker.yml': `steps:\n${[first, second, third].map((version, place) => `  step${place}:\n    image: ${image(version)}\n`).join('')}`,
    'tasks/main.yml': [first, second, third]
      .map((version) => `- name: Run\n  docker_container:\n    image: ${image(version)}\n`)
      .join(''),
    '.circleci/config.yml': `version: 2.1\njobs:\n  build:\n    docker:\n      - image: ${image(first)}\n      - image: ${image(second)}\n      - image: ${image(third)}\n`,
    '.devcontainer/devcontainer.json': `{ "image": "${image(third)}" }\n`,
    'd/package.json': npm('dependencies', `^${first}`),
    'e/package.json': npm('peerDependencies', `>=${first} <2026`),
    'd/requirements.txt': `example-server~=${second}\n`,
    'd/pom.xml': `<project xmlns="http://maven.apache.org/POM/4.0.0">\n<build><plugins><plugin><groupId>com.example</groupId><artifactId>server</artifactId><version>${third}</version></plugin></plugins></build>\n</project>\n`,
    'commented/Dockerfile': `${comment}ARG A_VERSION=2025.1\n${comment}ARG B_VERSION=v2025.2\n`,
    'commented/run.sh': `${comment}SVC=2026.1\n`,
    'commented/Makefile': `${comment}SVC_VERSION = 2025.1\n`,
  };
}

/** A registry of images, charts and packages, which has the same releases of each. */
function registry(url: string): ReadonlyMap<string, Document> {
  const day = (version: string) => `${daysAgo(ages[version as keyof typeof ages])}T00:00:00Z`;
  const json = (body: object): Document => ({
    type: 'application/json',
    body: JSON.stringify(body),
  });
  const charts = versions.map(
    (version) =>
      `    - name: server\n      version: ${version}\n      created: "${day(version)}"\n      urls: [server-${version}.tgz]\n`,
  );
  const metadata = `<metadata><groupId>com.example</groupId><artifactId>server</artifactId><versioning><latest>${proposal}</latest><release>${proposal}</release><versions>${versions.map((version) => `<version>${version}</version>`).join('')}</versions></versioning></metadata>`;
  const links = versions
    .map((version) => {
      const name = `example_server-${version}.tar.gz`;
      return `<a href="${url}files/${name}">${name}</a>`;
    })
    .join('\n');
  const pom = (version: string): [string, Document] => [
    `/maven/com/example/server/${version}/server-${version}.pom`,
    {
      type: 'text/xml',
      body: `<project><groupId>com.example</groupId><artifactId>server</artifactId><version>${version}</version></project>`,
      headers: { 'last-modified': new Date(day(version)).toUTCString() },
    },
  ];

  return new Map<string, Document>([
    ['/v2/', json({})],
    ...versions.map((version, place): [string, Document] => [
      `/v2/example/server/manifests/${version}`,
      {
        type: 'application/vnd.oci.image.manifest.v1+json',
        body: '{"schemaVersion":2}',
        headers: { 'docker-content-digest': `sha256:${String(place).repeat(64)}` },
      },
    ]),
    ['/v2/example/server/tags/list?n=10000', json({ name: 'example/server', tags: versions })],
    [
      '/charts/index.yaml',
      { type: 'text/yaml', body: `apiVersion: v1\nentries:\n  server:\n${charts.join('')}` },
    ],
    ['/maven/com/example/server/maven-metadata.xml', { type: 'text/xml', body: metadata }],
    ...versions.map(pom),
    [
      '/npm/@example%2Fserver',
      json({
        name: '@example/server',
        'dist-tags': { latest: proposal },
        versions: Object.fromEntries(versions.map((version) => [version, { version }])),
        time: Object.fromEntries(versions.map((version) => [version, day(version)])),
      }),
    ],
    ['/simple/example-server/', { type: 'text/html', body: `<html><body>${links}</body></html>` }],
  ]);
}
