import { expect, test } from 'vitest';
import { describePackage } from '../../../src/sources/index.ts';
import { withUpstream } from '../../harness/ask-source.ts';
import { json, text, type Document, type Documents } from '../../harness/upstream.ts';

const rails = 'https://github.com/rails/rails';
const leaf = (title: string) => ({
  catalogEntry: {
    id: 'Example.Agent',
    title,
    description: 'Builds.',
    projectUrl: 'https://a.example/',
  },
});
const xml = (body: string): Document => text(body, 'text/xml');

/** The answers of registries in the form of their own documentation, without most keys. */
const registries: [string, string, (url: string) => Documents, object][] = [
  [
    'npm',
    '@example/agent',
    () => ({
      '/@example%2fagent': json({
        name: '@example/agent',
        description: ' Builds. ',
        homepage: 'https://a.example/',
        repository: { type: 'git', url: `git+${rails}.git` },
      }),
    }),
    {
      title: '@example/agent',
      description: 'Builds.',
      homepage: 'https://a.example/',
      repository: `git+${rails}.git`,
    },
  ],
  [
    'maven',
    'com.example:agent',
    () => ({
      '/com/example/agent/maven-metadata.xml': xml(
        '<metadata><versioning><versions><version>1.9</version><version>1.10</version></versions></versioning></metadata>',
      ),
      '/com/example/agent/1.10/agent-1.10.pom': xml(
        `<project><name>Agent &lt;1&gt;</name><description>Of \${project.name}</description><scm><url>${rails}</url></scm></project>`,
      ),
    }),
    { title: 'Agent <1>', repository: rails },
  ],
  [
    'pypi',
    'agent',
    () => ({
      '/agent/json': json({
        info: {
          name: 'agent',
          summary: 'Builds.',
          home_page: 'https://old.example/',
          project_urls: {
            'Home-Page': 'https://a.example/',
            "What's New": 'https://a.example/new',
          },
        },
      }),
    }),
    {
      title: 'agent',
      description: 'Builds.',
      homepage: 'https://a.example/',
      changelogUrl: 'https://a.example/new',
    },
  ],
  ['docker', 'example/agent', () => ({}), {}],
  [
    'helm',
    'agent',
    () => ({
      '/index.yaml': text(
        `entries:\n  agent:\n  - {version: 1.10, name: agent, home: "https://a.example/", sources: ["${rails}"]}\n  - {version: 1.9, name: old}\n`,
        'text/yaml',
      ),
    }),
    { title: 'agent', homepage: 'https://a.example/', repository: rails },
  ],
  [
    'github-releases',
    'rails/rails',
    () => ({
      '/repos/rails/rails': json({
        name: 'rails',
        description: null,
        homepage: '',
        html_url: rails,
      }),
    }),
    { title: 'rails', repository: rails },
  ],
  [
    'gitlab-tags',
    'group/agent',
    () => ({
      '/api/v4/projects/group%2fagent': json({
        name: 'Agent',
        web_url: 'https://gl.example/agent',
      }),
    }),
    { title: 'Agent', repository: 'https://gl.example/agent' },
  ],
  [
    'rubygems',
    'rails',
    () => ({
      '/api/v1/gems/rails.json': json({
        name: 'rails',
        info: ' A framework. ',
        homepage_uri: 'https://rubyonrails.org',
        changelog_uri: `${rails}/releases/tag/v8.0.1`,
        source_code_uri: `${rails}/tree/v8.0.1`,
        wiki_uri: '',
      }),
    }),
    {
      title: 'rails',
      description: 'A framework.',
      homepage: 'https://rubyonrails.org',
      changelogUrl: `${rails}/releases/tag/v8.0.1`,
      repository: `${rails}/tree/v8.0.1`,
    },
  ],
  [
    'nuget',
    'Example.Agent',
    (url) => ({
      '/': json({ resources: [{ '@id': `${url}r/`, '@type': 'RegistrationsBaseUrl/3.6.0' }] }),
      '/r/example.agent/index.json': json({ items: [{ items: [leaf('Young'), leaf('Agent')] }] }),
    }),
    { title: 'Agent', description: 'Builds.', homepage: 'https://a.example/' },
  ],
  [
    'go',
    'example.com/Agent',
    () => ({ '/example.com/!agent/@latest': json({ Version: 'v1.2.3', Origin: { URL: rails } }) }),
    { repository: rails },
  ],
  ['crate', 'serde', () => ({}), {}],
];

test.each(registries)(
  '%s says what its registry says of %s',
  async (datasource, packageName, says, expected) => {
    const { result } = await withUpstream({ documents: says }, (registryUrl, context) => {
      const source = { datasource, packageName, registryUrl };
      return describePackage(source as Parameters<typeof describePackage>[0], context)!;
    });

    expect(JSON.parse(JSON.stringify(result))).toEqual(expected);
  },
);

test.each<[object, string, Documents, object]>([
  [
    { datasource: 'crate', packageName: 'serde' },
    'https://crates.io/',
    {
      '/api/v1/crates/serde?include=': json({
        crate: { name: 'serde', description: 'A framework', homepage: null, repository: rails },
      }),
    },
    { title: 'serde', description: 'A framework', repository: rails },
  ],
  [
    { datasource: 'docker', packageName: 'alpine' },
    'https://hub.docker.com/',
    { '/v2/repositories/library/alpine': json({ name: 'alpine', description: 'Small.' }) },
    { title: 'alpine', description: 'Small.' },
  ],
  [
    { datasource: 'json', url: 'https://a.example/x.json' },
    'https://a.example/',
    { '/x.json': json({ homepage: 'https://a.example/', sourceUrl: rails, releases: [] }) },
    { homepage: 'https://a.example/', repository: rails },
  ],
  [
    { datasource: 'git-tags', packageName: `${rails}.git` },
    'https://a.example/',
    {},
    { repository: `${rails}.git` },
  ],
])('%j says what its registry says', async (source, standsFor, documents, expected) => {
  const { result } = await withUpstream({ documents, standsFor }, (_url, context) =>
    describePackage(source as Parameters<typeof describePackage>[0], context)!,
  );

  expect(JSON.parse(JSON.stringify(result))).toEqual(expected);
});
