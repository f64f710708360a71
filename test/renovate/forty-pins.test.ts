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
let [without, withPreset]: Run[] = [];
let files: Record<string, string> = {};

beforeAll(async () => {
  upstream = await startUpstream((url) => serve(registry(url)));
  const registryUrl = upstream.url.slice(0, -1);
  served = await serveComponents({
    svc: {
      definition: {
        support: { policy: 'term', months: 18 },
        deprecated: [{ versions: ['2025.2'], reason: 'Loses data.' }],
        advisories: [{ id: 'CVE-2026-1', affected: '<2025.2', severity: 'high' }],
        sources: [
          { datasource: 'docker', packageName: 'example/server', registryUrl },
          { datasource: 'helm', packageName: 'server', registryUrl: `${registryUrl}/charts` },
          { datasource: 'maven', packageName: 'com.example:server' },
          { datasource: 'npm', packageName: '@example/server' },
        ],
        aliases: ['pkg:pypi/example-server'],
      },
      // Recorded by hand: Renovate must ask the registries itself.
      releases: Object.entries(ages).map(([version, ago]) => ({
        version: version.replace(/\.0$/, ''),
        releaseTimestamp: daysAgo(ago),
      })),
    },
  });
  files = repository(new URL(upstream.url).host, upstream.url);
  const look = (presets: readonly string[]) =>
    runRenovate(
      {
        ...files,
        'renovate.json': JSON.stringify({ ...ownConfig(upstream.url), extends: presets }),
      },
      {
        origin: served.origin,
        hostRules: [
          { matchHost: upstream.url, allowInternal: true },
          { matchHost: upstream.url.replace('http:', 'https:'), insecureRegistry: true },
        ],
      },
    );
  without = await look([]);
  withPreset = await look([`${served.origin}/renovate.json`]);
});

afterAll(async () => {
  await served?.close();
  await upstream?.close();
});

test('the preset changes no proposal of 40 pins that 13 managers find', () => {
  const ofPackages = rowsOf(withPreset!).filter(([file]) => !isCommented(file));

  expect(rowsOf(without!)).toHaveLength(40);
  expect(ofPackages).toEqual(rowsOf(without!));
  expect(new Set(ofPackages.map(([, , ...proposed]) => proposed.length)).has(0)).toBe(false);
  expect(without!.problems).toEqual([]);
  expect(withPreset!.problems).toEqual([]);
});

test('every pull request says what is known of each of its versions, and has the labels', async () => {
  const bodies = await pullRequestBodies(withPreset!.branches);

  const told: string[] = [];
  for (const [index, upgrades] of withPreset!.branches.entries()) {
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
      ).filter(({ version, link }) => version === currentVersion && link!.endsWith(newVersion));
      const expected = expectedFor(currentVersion.replace(/^v/, ''), newVersion);

      expect([packageFile, currentValue, lines.map(({ text }) => text)]).toEqual([
        packageFile,
        currentValue,
        expected.says,
      ]);
      expect([packageFile, ...new Set(addLabels)].sort()).toEqual(
        [packageFile, ...expected.labels].sort(),
      );
      told.push(`${packageFile} ${currentValue}`);
    }
  }

  const all = rowsOf(withPreset!).map(([file, pin]) => `${file} ${pin}`);
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

function ownConfig(url: string): object {
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

/** 40 pins of packages, and four below comments. */
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
