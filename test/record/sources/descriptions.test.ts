import { expect, it } from 'vitest';
import type { TypedSource } from '../../../src/record/sources/index.ts';
import type { PackageDescription } from '../../../src/record/sources/datasource.ts';
import { askDescription, json } from '../../harness/asking.ts';

interface Registry {
  source: TypedSource;
  /** The public address that the source stands for. */
  at: string;
  /** Its answers by path, in the form of its own documentation, without most of its keys. */
  says(url: string): Record<string, unknown>;
  description: PackageDescription;
}

const rails = 'https://github.com/rails/rails';
const serde = 'https://github.com/serde-rs/serde';
const agent = 'https://gitlab.example.com/group/agent';
const nugetEntry = (title: string) => ({
  catalogEntry: {
    id: 'Example.Agent',
    title,
    description: 'Builds.',
    projectUrl: 'https://example.com/',
  },
});

const registries: Registry[] = [
  {
    source: { datasource: 'rubygems', packageName: 'rails' },
    at: 'https://rubygems.org/',
    says: () => ({
      '/api/v1/gems/rails.json': {
        name: 'rails',
        info: ' Ruby on Rails is a full-stack web framework. ',
        homepage_uri: 'https://rubyonrails.org',
        changelog_uri: `${rails}/releases/tag/v8.0.1`,
        source_code_uri: `${rails}/tree/v8.0.1`,
        project_uri: 'https://rubygems.org/gems/rails',
        wiki_uri: '',
      },
    }),
    description: {
      title: 'rails',
      description: 'Ruby on Rails is a full-stack web framework.',
      homepage: 'https://rubyonrails.org',
      changelogUrl: `${rails}/releases/tag/v8.0.1`,
      repository: `${rails}/tree/v8.0.1`,
      registryPage: 'https://rubygems.org/gems/rails',
    },
  },
  {
    source: { datasource: 'crate', packageName: 'serde' },
    at: 'https://crates.io/',
    says: () => ({
      '/api/v1/crates/serde?include=': {
        crate: { name: 'serde', description: 'A framework', homepage: null, repository: serde },
      },
    }),
    description: {
      ...{ title: 'serde', description: 'A framework', repository: serde },
      registryPage: 'https://crates.io/crates/serde',
    },
  },
  {
    source: { datasource: 'nuget', packageName: 'Example.Agent' },
    at: 'https://api.nuget.org/v3/',
    says: (url) => ({
      '/index.json': { resources: [{ '@id': `${url}r/`, '@type': 'RegistrationsBaseUrl/3.6.0' }] },
      '/r/example.agent/index.json': {
        items: [{ '@id': `${url}old.json` }, { items: [nugetEntry('Young'), nugetEntry('Agent')] }],
      },
      '/old.json': { items: [nugetEntry('Old agent')] },
    }),
    description: { title: 'Agent', description: 'Builds.', homepage: 'https://example.com/' },
  },
  ...(['gitlab-releases', 'gitlab-tags'] as const).map((datasource) => ({
    source: { datasource, packageName: 'group/agent' },
    at: 'https://gitlab.com/',
    says: () => ({
      '/api/v4/projects/group%2fagent': { name: 'Agent', description: null, web_url: agent },
    }),
    description: { title: 'Agent', repository: agent, changelogUrl: `${agent}/-/releases` },
  })),
  {
    source: { datasource: 'go', packageName: 'example.com/Agent' },
    at: 'https://proxy.golang.org/',
    says: () => ({
      '/example.com/!agent/@latest': {
        Version: 'v1.2.3',
        Origin: { VCS: 'git', URL: serde, Hash: 'ab' },
      },
    }),
    description: { repository: serde },
  },
  {
    source: { datasource: 'git-tags', packageName: `${agent}.git` },
    at: 'https://gitlab.example.com/',
    says: () => ({}),
    description: { repository: `${agent}.git` },
  },
  {
    // The index of a registry other than crates.io knows only versions.
    source: {
      datasource: 'crate',
      packageName: 'serde',
      registryUrl: 'https://index.example.com/',
    },
    at: 'https://index.example.com/',
    says: () => ({}),
    description: {},
  },
];

it.each(registries)(
  'a source states what its registry says of a package: $source.datasource',
  async ({ source, at, says, description }) => {
    const described = await askDescription(() => source, {
      documents: (url) =>
        Object.fromEntries(Object.entries(says(url)).map(([path, value]) => [path, json(value)])),
      routes: (url) => ({ [at]: url }),
    });

    expect(described).toEqual(description);
  },
);
