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
