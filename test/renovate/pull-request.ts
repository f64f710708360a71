import { importRenovate, type Upgrade } from './client.ts';

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
      const row = new RegExp(`^\\| \\[${depName}\\]\\(.*`, 'm').exec(body)?.[0] ?? '';
      const found = Array.from(row.matchAll(/\[changelog\]\((.*?)\)/g), (match) => match[1]!);
      const key = `${depName} ${newVersion}`;
      links.set(key, [...new Set([...(links.get(key) ?? []), ...found])]);
    }
  }
  return links;
}
