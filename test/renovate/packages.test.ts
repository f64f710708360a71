import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import siteConfig from '../../site/site.json' with { type: 'json' };
import { runRenovate, type Run } from './client.ts';
import { importRenovate } from './install.ts';
import { inOrder } from './pins.ts';
import { changelogLinks } from './pull-request.ts';
import { daysAgo, serveComponents, type ServedSite } from './site.ts';

/** A component for each datasource, with a deprecated release and a newest release that is a day old. */
const sources: Record<string, { datasource: string; packageName: string; registryUrl?: string }> = {
  action: { datasource: 'github-tags', packageName: 'example/action' },
  agent: {
    datasource: 'maven',
    packageName: 'com.example:agent',
    registryUrl: 'https://maven.example.com/',
  },
  crate: { datasource: 'crate', packageName: 'example-crate' },
  chart: { datasource: 'helm', packageName: 'server', registryUrl: 'https://charts.example.com/' },
  gem: { datasource: 'rubygems', packageName: 'example_gem' },
  gitlab: { datasource: 'gitlab-tags', packageName: 'group/project' },
  gitlab2: {
    datasource: 'gitlab-releases',
    packageName: 'team/project',
    registryUrl: 'https://gitlab.example.com/',
  },
  image: { datasource: 'docker', packageName: 'example/image' },
  mirrored: {
    datasource: 'docker',
    packageName: 'team/image',
    registryUrl: 'https://registry.example.com:5000/',
  },
  module: { datasource: 'go', packageName: 'example.com/module' },
  nuget: { datasource: 'nuget', packageName: 'Example.Tool' },
  project: { datasource: 'pypi', packageName: 'Example_Project' },
  repository: { datasource: 'git-tags', packageName: 'https://git.example.com/group/tool.git' },
  tool: { datasource: 'npm', packageName: '@example/tool' },
};

const versions = ['1.0.0', '1.1.0', '1.2.0', '1.10.0', '2.0.0', '2.1.0'];
const spelled = (name: string, version: string) =>
  ['action', 'gitlab', 'gitlab2', 'module', 'repository'].includes(name) ? `v${version}` : version;

/** The files of a repository, with the expected proposals for each dependency. */
const files: Record<string, { text: string; proposed: Record<string, string[]> }> = {
  '.github/workflows/build.yml': {
    text: 'jobs:\n  build:\n    runs-on: example\n    steps:\n      - uses: example/action@v1.0.0\n',
    proposed: { 'example/action v1.0.0': ['v1.2.0', 'v2.1.0'] },
  },
  'main.tf': {
    text: 'module "action" {\n  source = "github.com/example/action?ref=v1.0.0"\n}\nmodule "tool" {\n  source = "git::https://git.example.com/group/tool.git?ref=v1.0.0"\n}\n',
    proposed: {
      'github.com/example/action v1.0.0': ['v1.2.0', 'v2.1.0'],
      'git.example.com/group/tool v1.0.0': ['v1.2.0', 'v2.1.0'],
    },
  },
  'app.csproj': {
    text: '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="example.tool" Version="1.0.0" /></ItemGroup></Project>\n',
    proposed: { 'example.tool 1.0.0': ['1.2.0', '2.1.0'] },
  },
  'Cargo.toml': {
    text: '[package]\nname = "app"\nversion = "1.0.0"\n\n[dependencies]\nexample-crate = "=1.0.0"\n',
    proposed: { 'example-crate =1.0.0': ['1.2.0', '2.1.0'] },
  },
  Gemfile: {
    text: "source 'https://rubygems.org'\ngem 'example_gem', '1.0.0'\n",
    proposed: { "example_gem '1.0.0'": ['1.2.0', '2.1.0'] },
  },
  'go.mod': {
    text: 'module example.com/app\n\nrequire example.com/module v1.0.0\n',
    proposed: { 'example.com/module v1.0.0': ['v1.2.0', 'v2.1.0'] },
  },
  '.gitlab-ci.yml': {
    text: 'include:\n  - project: group/project\n    ref: v1.0.0\n    file: build.yml\n  - component: gitlab.example.com/team/project/build@v1.1.0\n',
    proposed: {
      'group/project v1.0.0': ['v1.2.0', 'v2.1.0'],
      'team/project v1.1.0': ['v1.2.0', 'v2.1.0'],
    },
  },
  'pom.xml': {
    text: '<project xmlns="http://maven.apache.org/POM/4.0.0">\n<repositories><repository><id>r</id><url>https://maven.example.com/</url></repository></repositories>\n<dependencies>\n<dependency><groupId>com.example</groupId><artifactId>agent</artifactId><version>1.0.0</version></dependency>\n</dependencies>\n</project>\n',
    proposed: { 'com.example:agent 1.0.0': ['1.2.0', '2.1.0'] },
  },
  'gradle/libs.versions.toml': {
    text: '[versions]\nagent = "1.1.0"\n\n[libraries]\nagent = { module = "com.example:agent", version.ref = "agent" }\n',
    proposed: { 'com.example:agent 1.1.0': ['1.2.0', '2.1.0'] },
  },
  'Chart.yaml': {
    text: 'apiVersion: v2\nname: app\nversion: 1.0.0\ndependencies:\n  - name: server\n    version: 1.0.0\n    repository: https://charts.example.com\n',
    proposed: { 'server 1.0.0': ['1.2.0', '2.1.0'] },
  },
  Dockerfile: {
    text: 'FROM example/image:1.0.0\nFROM registry.example.com:5000/team/image:1.1.0\n',
    proposed: {
      'example/image 1.0.0': ['1.2.0', '2.1.0'],
      'registry.example.com:5000/team/image 1.1.0': ['1.2.0', '2.1.0'],
    },
  },
  'compose.yaml': {
    text: 'services:\n  image:\n    image: docker.io/example/image:2.0.0\n',
    proposed: { 'docker.io/example/image 2.0.0': ['2.1.0'] },
  },
  'values.yaml': {
    text: 'image:\n  repository: example/image\n  tag: 2.0.0\n',
    proposed: { 'example/image 2.0.0': ['2.1.0'] },
  },
  'requirements.txt': {
    text: 'example-project==1.0.0\n',
    proposed: { 'example-project ==1.0.0': ['1.2.0', '2.1.0'] },
  },
  'package.json': {
    text: '{\n  "dependencies": { "@example/tool": "1.0.0" }\n}\n',
    proposed: { '@example/tool 1.0.0': ['1.2.0', '2.1.0'] },
  },
  'ranges/package.json': {
    text: '{\n  "dependencies": { "@example/tool": "^1.0.0" }\n}\n',
    proposed: { '@example/tool ^1.0.0': ['2.1.0'] },
  },
};

let served: ServedSite;

beforeAll(async () => {
  served = await serveComponents(
    Object.fromEntries(
      Object.entries(sources).map(([name, source]) => [
        name,
        { definition: definitionOf(name, source), releases: releasesOf(name, source) },
      ]),
    ),
  );
});

afterAll(() => served?.close());

test('Renovate reads the versions of a package from this index, and asks no other host', async () => {
  const texts = Object.entries(files).map(([file, { text }]) => [file, text] as const);
  const configuration = { extends: [`${served.origin}/renovate.json`] };

  const run = await runRenovate(
    { 'renovate.json': JSON.stringify(configuration), ...Object.fromEntries(texts) },
    { origin: served.origin },
  );

  expect(proposals(run)).toEqual(
    Object.fromEntries(Object.entries(files).map(([file, { proposed }]) => [file, proposed])),
  );
  expect(run.problems).toEqual([]);
  expect(run.attempts).toEqual([]);
  const ofRange = run.branches
    .flat()
    .filter(({ packageFile }) => packageFile === 'ranges/package.json');
  expect(ofRange.map(({ newValue }) => newValue)).toEqual(['^2.0.0']);
  expect((await changelogLinks(run.branches)).get('@example/tool 2.1.0')).toEqual([
    `${served.origin}/tool.html#v2.1.0`,
  ]);
});

interface Dependency {
  datasource: string;
  packageName: string;
  currentValue: string;
  [option: string]: unknown;
}

test('Renovate asks upstream about moving tags, variants, digests and packages of others', async () => {
  const { applyPackageRules } = await importRenovate<{
    applyPackageRules(dependency: Dependency): Promise<Dependency>;
  }>('util/package-rules/index.js');
  const { packageRules } = JSON.parse(readFileSync(join(served.dir, 'renovate.json'), 'utf8')) as {
    packageRules: object[];
  };
  const answeredBy = async (dependency: Dependency) =>
    (await applyPackageRules({ packageRules, ...dependency })).datasource;
  const image = { datasource: 'docker', packageName: 'example/image', currentValue: '1.0.0' };
  const chart = { datasource: 'helm', packageName: 'server', currentValue: '1.0.0' };
  const ours = `custom.${siteConfig.datasource}`;

  expect(await answeredBy(image)).toBe(ours);
  for (const currentValue of ['1', '1.0', '1.0.0-alpine', 'latest']) {
    expect(await answeredBy({ ...image, currentValue })).toBe('docker');
  }
  expect(await answeredBy({ ...image, currentDigest: 'sha256:abc' })).toBe('docker');
  expect(await answeredBy({ ...image, pinDigests: true })).toBe('docker');
  expect(await answeredBy({ ...chart, registryUrls: ['https://charts.example.com/'] })).toBe(ours);
  expect(await answeredBy({ ...chart, registryUrls: ['https://other.example.com/'] })).toBe('helm');
  const project = {
    datasource: 'gitlab-tags',
    packageName: 'group/project',
    currentValue: 'v1.0.0',
  };
  expect(await answeredBy(project)).toBe(ours);
  expect(await answeredBy({ ...project, registryUrls: ['https://gitlab.com'] })).toBe(ours);
  for (const registryUrl of ['https://gitlab.example.com', 'https://gitlab.com.example.com/']) {
    expect(await answeredBy({ ...project, registryUrls: [registryUrl] })).toBe('gitlab-tags');
  }
  const module = { datasource: 'go', packageName: 'example.com/module', currentValue: 'v1.0.0' };
  expect(await answeredBy(module)).toBe(ours);
  expect(await answeredBy({ ...module, currentDigest: 'daa7c04131f5' })).toBe('go');
});

function definitionOf(name: string, source: object): object {
  return {
    releaseChangelogUrl: { template: `https://example.com/${name}#{versionDashed}` },
    deprecated: [{ versions: [spelled(name, '1.10.0')], reason: 'Loses data.' }],
    sources: [source],
  };
}

function releasesOf(name: string, { datasource, packageName }: (typeof sources)[string]): object[] {
  return versions.map((version) => ({
    version: spelled(name, version),
    releaseTimestamp: daysAgo(version === '2.1.0' ? 1 : 400),
    source: `${datasource}:${packageName}`,
  }));
}

/** By file, without the address of the preset, which Renovate also lists. */
function proposals({ lookups }: Run): Record<string, Record<string, string[]>> {
  const found: Record<string, Record<string, string[]>> = {};
  for (const { file, component, pin, proposed } of lookups) {
    if (file === 'renovate.json') {
      continue;
    }
    found[file] = { ...found[file], [`${component} ${pin}`]: inOrder(proposed) };
  }
  return found;
}
