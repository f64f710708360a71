import { writeFiles } from '../harness/components.ts';
import type { Upgrade } from './client.ts';
import { importRenovate } from './install.ts';

/** The files after these updates, one after the other, by Renovate's own function; it throws where it cannot write one. */
export async function writeUpdates(
  files: Readonly<Record<string, string>>,
  upgrades: readonly Upgrade[],
): Promise<Record<string, string>> {
  const { GlobalConfig } = await importRenovate<{
    GlobalConfig: { set(config: object): void };
  }>('config/global.js');
  const { doAutoReplace } = await importRenovate<{
    doAutoReplace(upgrade: Upgrade, content: string, isReused: boolean): Promise<string>;
  }>('workers/repository/update/branch/auto-replace.js');
  const { init } = await importRenovate<{ init(): Promise<void> }>('logger/index.js');
  await init();
  const localDir = writeFiles(files);
  GlobalConfig.set({ localDir });
  const written: Record<string, string> = { ...files };
  for (const upgrade of upgrades) {
    const { packageFile } = upgrade;
    written[packageFile] = await doAutoReplace(upgrade, written[packageFile]!, false);
  }
  return written;
}
