import { expect, test } from 'vitest';
import { readPackage } from '../../../src/cli/add/package.ts';

const digest = `sha256:${'a'.repeat(64)}`;

test.each<[words: string, datasource?: string, packageName?: string, registryUrl?: string]>([
  ['npm @acme/agent', 'npm', '@acme/agent'],
  ['docker team/app', 'docker', 'team/app'],
  ['docker ghcr.io/team/app', 'docker', 'team/app', 'https://ghcr.io'],
  [`docker localhost:5000/app:1.2@${digest}`, 'docker', 'app', 'https://localhost:5000'],
  ['docker docker.io/library/nginx:1.28', 'docker', 'nginx'],
  ['docker https://quay.io/team/app', 'docker', 'team/app', 'https://quay.io'],
  [
    'helm oci://charts.example.com/team/agent',
    'docker',
    'team/agent',
    'https://charts.example.com',
  ],
  ['oci://charts.example.com/agent', 'docker', 'agent', 'https://charts.example.com'],
  ['github-releases acme/agent', 'github-releases', 'acme/agent'],
  ['github-releases https://github.com/acme/agent/releases', 'github-releases', 'acme/agent'],
  ['github-tags git@github.com:acme/agent.git', 'github-tags', 'acme/agent'],
  ['https://github.com/acme/agent', 'github-releases', 'acme/agent'],
  ['https://gitlab.com/acme/tools/agent', 'gitlab-releases', 'acme/tools/agent'],
  [
    'gitlab-tags https://git.example.com/acme/tools/agent/-/tags',
    'gitlab-tags',
    'acme/tools/agent',
    'https://git.example.com',
  ],
  ['git-tags https://git.example.com/agent.git', 'git-tags', 'https://git.example.com/agent.git'],
  ['json https://example.com/agent.json', 'json', 'https://example.com/agent.json'],
  ['nodejs postgresql'],
  ['https://endoflife.date/go'],
  ['https://endoflife.date/docker-engine/'],
])(
  '"add %s" reads the datasource, package and registry from the name that people copy',
  (words, datasource, packageName, registryUrl) => {
    expect(readPackage(words.split(' '))).toEqual(
      datasource ? { datasource, packageName, registryUrl } : undefined,
    );
  },
);

test('an error about an unsupported address suggests an add command', () => {
  expect(() => readPackage(['https://endoflife.date/docs/api'])).toThrow(': add npm');
  expect(() => readPackage(['https://example.com/package/agent'])).toThrow(': add npm agent');
});
