import type { Upgrade } from './client.ts';
import { importRenovate } from './install.ts';

/**
 * The bodies of the pull requests, in the order of the branches, by Renovate's own functions. A run that only looks up versions
 * ends before this step.
 */
export async function writePullRequests(branches: readonly Upgrade[][]): Promise<string[]> {
  const { setPlatformApi } = await importRenovate<{ setPlatformApi(name: string): void }>(
    'modules/platform/index.js',
  );
  const { generateBranchConfig } = await importRenovate<{
    generateBranchConfig(upgrades: Upgrade[]): object;
  }>('workers/repository/updates/generate.js');
  const { getPrBody } = await importRenovate<{
    getPrBody(branch: object, body: object, config: object): string;
  }>('workers/repository/update/pr/body/index.js');
  const { init } = await importRenovate<{ init(): Promise<void> }>('logger/index.js');
  await init();
  setPlatformApi('local');
  return branches.map((upgrades) =>
    getPrBody(generateBranchConfig(upgrades), { debugData: {} }, {}),
  );
}
