import { expect, test } from 'vitest';
import type { Source } from '../../../src/core/schema/definition.ts';
import { findDatasource } from '../../../src/sources/index.ts';
import { withUpstream } from '../../harness/ask-source.ts';
import { json, text, type Document, type Documents } from '../../harness/upstream.ts';

const rails = 'https://github.com/rails/rails';
const home = 'https://a.example/';
const leaf = (title: string) => ({
  catalogEntry: { title, description: 'Builds.', projectUrl: home },
});
const xml = (body: string): Document => text(body, 'text/xml');

/** The answers of registries in the form of their own documentation, without most keys. Public ones are named by their addresses. */
test.each<[string, string, Documents | ((url: string) => Documents), object, string?]>([
  [
    'maven',
    'com.example:agent',
    {
      '/com/example/agent/maven-metadata.xml': xml(
        '<metadata><versioning><versions><version>1.9</version><version>1.10</version></versions></versioning></metadata>',
      ),
      '/com/example/agent/1.10/agent-1.10.pom': xml(
        `<project><name>Agent &lt;1&gt;</name><description>Of \${project.name}</description><scm><url>${rails}</url></scm></project>`,
      ),
    },
    { title: 'Agent <1>', repository: rails },
  ],
  [
    'pypi',
    'agent',
    {
      '/agent/json': json({
        info: {
          name: 'agent',
          summary: 'Builds.',
          home_page: 'https://old.example/',
          project_urls: { 'Home-Page': home, "What's New": `${home}new` },
        },
      }),
    },
    { title: 'agent', description: 'Builds.', homepage: home, changelogUrl: `${home}new` },
  ],
  [
    'helm',
    'agent',
    {
      '/index.yaml': text(
        `entries:\n  agent: [{version: 1.10, name: agent, home: "${home}", sources: ["${rails}"]}, {version: 1.9}]`,
        'text/yaml',
      ),
    },
    { title: 'agent', homepage: home, repository: rails },
  ],
  [
    'rubygems',
    'rails',
    {
      '/api/v1/gems/rails.json': json({ info: 'Fast.', changelog_uri: home, source_code_uri: '' }),
    },
    { description: 'Fast.', changelogUrl: home },
  ],
  [
    'nuget',
    'Example.Agent',
    (url) => ({
      '/': json({ resources: [{ '@id': `${url}r/`, '@type': 'RegistrationsBaseUrl/3.6.0' }] }),
      '/r/example.agent/index.json': json({ items: [{ items: [leaf('Young'), leaf('Agent')] }] }),
    }),
    { title: 'Agent', description: 'Builds.', homepage: home },
  ],
  [
    'go',
    'example.com/Agent',
    { '/example.com/!agent/@latest': json({ Version: 'v1.2.3', Origin: { URL: rails } }) },
    { repository: rails },
  ],
  [
    'crate',
    'serde',
    {
      '/api/v1/crates/serde?include=': json({
        crate: { name: 'serde', description: 'A framework', homepage: null, repository: rails },
      }),
    },
    { title: 'serde', description: 'A framework', repository: rails },
    'https://crates.io/',
  ],
  ['crate', 'of another registry', {}, {}],
  [
    'json',
    '',
    { '/x.json': json({ homepage: home, sourceUrl: rails, releases: [] }) },
    { homepage: home, repository: rails },
    home,
  ],
  ['git-tags', `${rails}.git`, {}, { repository: `${rails}.git` }],
])(
  '%s says what its registry says of %s',
  async (datasource, packageName, documents, expected, standsFor) => {
    const { result } = await withUpstream({ documents, standsFor }, (url, context) => {
      const registryUrl = standsFor === undefined ? url : undefined;
      const source = { datasource, packageName, registryUrl, url: `${home}x.json` };
      return findDatasource(source as Source).describe!(source as Source, context);
    });

    expect(JSON.parse(JSON.stringify(result))).toEqual(expected);
  },
);
