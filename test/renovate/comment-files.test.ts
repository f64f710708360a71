import { expect, test } from 'vitest';
import {
  commentManagers,
  createCommentManager,
} from '../../src/site/render/renovate/comment-manager.ts';
import { importRenovate } from './install.ts';

interface Preset {
  readonly customManagers: readonly { readonly managerFilePatterns: readonly string[] }[];
}

test.each([
  ['deploy/server.yml', 1],
  ['apps/one/k8s/server.yaml', 1],
  ['scripts/install.sh', 1],
  ['.github/workflows/deploy/server.yml', 1],
  ['.github/workflows/docker-compose.yml', 1],
  ['.github/docker-compose.yml', 1],
  ['.devcontainer/compose.yaml', 1],
  ['workflow-templates/values.yml', 1],
  ['.github/actions/deploy/action.yml', 1],
  ['deploy/action.yml', 1],
  ['deploy/bitbucket-pipelines.yml', 1],
  ['deploy/my.gitlab-ci.yml', 1],
  ['.azuredevops/Chart.yaml', 1],
  ['sub/.github/workflows/compose.yml', 1],
  ['sub/.github/workflows/install.sh', 1],
  ['sub/.github/docker-compose.yml', 1],
  ['k8s/.github/workflows/server.yml', 1],
  ['sub/workflow-templates/values.yml', 1],
  ['sub/.azuredevops/a/values.yml', 1],
  ['a/b/c/.forgejo/actions/deploy/Chart.yaml', 1],
  ['a/Dockerfile.sh', 1],
  ['deploy/Dockerfile.yml', 1],
  ['deploy/values.Containerfile.yaml', 1],
  ['sub/compose-pipelines.yml', 1],
  ['sub/azure-pipelines.yaml', 1],
  ['.env.mk', 1],
  ['a/.env.tfvars', 1],
  ['a/.env.local', 1],
  ['ansible/group_vars/all.yml', 1],
  ['gradle/libs.versions.toml', 1],
  ['a/.mise.local.toml', 1],
  ['a/build.gradle.kts', 1],
  ['a/main.tofu', 1],
  ['ci/Jenkinsfile.release', 1],
  ['a/composer.json', 0],
  ['k8s/README.md', 0],
  ['src/server.ts', 0],
])('the comments of %s are read by %i managers', async (file, count) => {
  const { presets } = await importRenovate<{ presets: Readonly<Record<string, Preset>> }>(
    'config/presets/internal/custom-managers.preset.js',
  );
  const { matchRegexOrGlob } = await importRenovate<{
    matchRegexOrGlob(file: string, pattern: string): boolean;
  }>('util/string-match.js');

  const managers = [
    ...commentManagers.flatMap((name) => presets[name.split(':')[1]!]!.customManagers),
    createCommentManager('custom.things'),
  ];
  const readers = managers.filter(({ managerFilePatterns }) =>
    managerFilePatterns.some((pattern) => matchRegexOrGlob(file, pattern)),
  );
  expect(readers).toHaveLength(count);
});
