/** Calls the functions of Renovate that run after the look-up of versions, because the runs in these tests end with the look-up. */
import { writeFiles } from '../harness/components.ts';
import type { Upgrade } from './client.ts';
import { importRenovate } from './install.ts';

const load = async (path: string): Promise<any> => {
  const { init } = await importRenovate<any>('logger/index.js');
  await init();
  return importRenovate(path);
};

/** Returns the files after Renovate has written these updates, in this order. Throws if Renovate cannot write an update. */
export async function writeUpdates(
  files: Readonly<Record<string, string>>,
  upgrades: readonly Upgrade[],
): Promise<Record<string, string>> {
  const { GlobalConfig } = await load('config/global.js');
  const { doAutoReplace } = await load('workers/repository/update/branch/auto-replace.js');
  GlobalConfig.set({ localDir: writeFiles(files) });
  const written: Record<string, string> = { ...files };
  for (const upgrade of upgrades) {
    const { packageFile } = upgrade;
    written[packageFile] = await doAutoReplace(upgrade, written[packageFile], false);
  }
  return written;
}

/** Returns the texts of the pull requests, in the order of the branches. */
export async function writePullRequests(branches: readonly Upgrade[][]): Promise<string[]> {
  const { setPlatformApi } = await load('modules/platform/index.js');
  const { generateBranchConfig } = await load('workers/repository/updates/generate.js');
  const { getPrBody } = await load('workers/repository/update/pr/body/index.js');
  setPlatformApi('local');
  return branches.map((upgrades) =>
    getPrBody(generateBranchConfig(upgrades), { debugData: {} }, {}),
  );
}
