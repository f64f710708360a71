import { expect, it } from 'vitest';
import type { Source } from '../../../src/record/sources/index.ts';
import type { PackageDescription } from '../../../src/record/sources/source.ts';
import { askDescription, json } from '../../harness/asking.ts';
import type { Document } from '../../harness/upstream.ts';

interface Registry {
  source: Source;
  routes?(url: string): Record<string, string>;
  documents(url: string): Record<string, Document>;
  description(url: string): PackageDescription;
}

/** In the form of each registry's own documentation, without most of its keys. */
const registries: Registry[] = [
  {
    source: { datasource: 'rubygems', packageName: 'rails' },
    routes: (url) => ({ 'https://rubygems.org/': url }),
    documents: () => ({
      '/api/v1/gems/rails.json': json({
        name: 'rails',
        info: ' Ruby on Rails is a full-stack web framework. ',
        homepage_uri: 'https://rubyonrails.org',
        changelog_uri: 'https://github.com/rails/rails/releases/tag/v8.0.1',
        source_code_uri: 'https://github.com/rails/rails/tree/v8.0.1',
        project_uri: 'https://rubygems.org/gems/rails',
        wiki_uri: '',
      }),
    }),
    description: () => ({
      title: 'rails',
      description: 'Ruby on Rails is a full-stack web framework.',
      homepage: 'https://rubyonrails.org',
      changelogUrl: 'https://github.com/rails/rails/releases/tag/v8.0.1',
      repository: 'https://github.com/rails/rails/tree/v8.0.1',
      registryPage: 'https://rubygems.org/gems/rails',
    }),
  },
  {
    source: { datasource: 'crate', packageName: 'serde' },
    routes: (url) => ({ 'https://crates.io/': url }),
    documents: () => ({
      '/api/v1/crates/serde?include=': json({
        crate: {
          name: 'serde',
          description: 'A generic serialization/deserialization framework',
          homepage: null,
          repository: 'https://github.com/serde-rs/serde',
        },
      }),
    }),
    description: () => ({
      title: 'serde',
      description: 'A generic serialization/deserialization framework',
      repository: 'https://github.com/serde-rs/serde',
      registryPage: 'https://crates.io/crates/serde',
    }),
  },
  {
    source: { datasource: 'nuget', packageName: 'Example.Agent' },
    routes: (url) => ({ 'https://api.nuget.org/v3/index.json': `${url}index.json` }),
    documents: (url) => {
      const entry = (title: string) => ({
        catalogEntry: {
          id: 'Example.Agent',
          title,
          description: 'Builds.',
          projectUrl: 'https://example.com/',
        },
      });
      return {
        '/index.json': json({ resources: [{ '@id': `${url}r/`, '@type': 'RegistrationsBaseUrl/3.6.0' }] }),
        '/r/example.agent/index.json': json({ items: [{ items: [entry('Old agent'), entry('Agent')] }] }),
      };
    },
    description: () => ({ title: 'Agent', description: 'Builds.', homepage: 'https://example.com/' }),
  },
  ...(['gitlab-releases', 'gitlab-tags'] as const).map((datasource) => ({
    source: { datasource, packageName: 'group/agent' },
    routes: (url: string) => ({ 'https://gitlab.com/': url }),
    documents: () => ({
      '/api/v4/projects/group%2fagent': json({
        name: 'Agent',
        description: null,
        web_url: 'https://gitlab.example.com/group/agent',
      }),
    }),
    description: () => ({
      title: 'Agent',
      repository: 'https://gitlab.example.com/group/agent',
      changelogUrl: 'https://gitlab.example.com/group/agent/-/releases',
    }),
  })),
  {
    source: { datasource: 'go', packageName: 'example.com/Agent' },
    routes: (url) => ({ 'https://proxy.golang.org/': url }),
    documents: () => ({
      '/example.com/!agent/@latest': json({
        Version: 'v1.2.3',
        Time: '2026-03-25T10:20:30Z',
        Origin: { VCS: 'git', URL: 'https://github.com/example/agent', Hash: 'ab' },
      }),
    }),
    description: () => ({ repository: 'https://github.com/example/agent' }),
  },
  {
    source: { datasource: 'git-tags', packageName: 'https://git.example.com/group/agent.git' },
    documents: () => ({}),
    description: () => ({ repository: 'https://git.example.com/group/agent.git' }),
  },
];

it.each(registries)(
  'an adapter tells what the registry says of a package: $source.datasource',
  async ({ source, routes, documents, description }) => {
    let at = '';
    const described = await askDescription((url) => ((at = url), source), {
      documents,
      ...(routes && { routes }),
    });

    expect(described).toEqual(description(at));
  },
);

it('an adapter says nothing of a crate in another index, which knows nothing but versions', async () => {
  const described = await askDescription((registryUrl) => ({
    datasource: 'crate',
    packageName: 'serde',
    registryUrl,
  }));

  expect(described).toEqual({});
});
