import { rmSync } from 'node:fs';
import { importRenovate, type Upgrade } from './client.ts';
import { writeFolder } from './site.ts';

/**
 * The changelog links that Renovate would write into its pull requests, under component and proposed version. A run that
 * only looks ends before that, so that the last step is done here, by Renovate's own functions.
 */
export async function changelogLinks(branches: readonly Upgrade[][]): Promise<Map<string, string[]>> {
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
  const links = new Map<string, string[]>();
  for (const upgrades of branches) {
    const body = getPrBody(generateBranchConfig(upgrades), { debugData: {} }, {});
    for (const { depName, newVersion } of upgrades) {
      // The name is a link where the homepage is known.
      const row = new RegExp(`^\\| (?:\\[${depName}\\]\\(|${depName} ).*`, 'm').exec(body)?.[0] ?? '';
      const found = Array.from(row.matchAll(/\[changelog\]\((.*?)\)/g), (match) => match[1]!);
      const key = `${depName} ${newVersion}`;
      links.set(key, [...new Set([...(links.get(key) ?? []), ...found])]);
    }
  }
  return links;
}

/** What Renovate would make of a file of the repository. */
export async function fileAfter(upgrades: readonly Upgrade[], content: string): Promise<string> {
  const { GlobalConfig } = await importRenovate<{ GlobalConfig: { set(config: object): void } }>(
    'config/global.js',
  );
  const { doAutoReplace } = await importRenovate<{
    doAutoReplace(upgrade: Upgrade, content: string, reusesBranch: boolean): Promise<string>;
  }>('workers/repository/update/branch/auto-replace.js');
  const localDir = writeFolder({});
  GlobalConfig.set({ localDir });
  try {
    let text = content;
    for (const upgrade of upgrades) text = await doAutoReplace(upgrade, text, false);
    return text;
  } finally {
    GlobalConfig.set({});
    rmSync(localDir, { recursive: true, force: true });
  }
}
