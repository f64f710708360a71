import type { Upgrade } from './client.ts';
import { importRenovate } from './install.ts';
import { temporaryFolder } from '../harness/root.ts';

/**
 * The bodies of the pull requests, in the order of the branches, by Renovate's own functions. A run that only looks up versions
 * ends before this step.
 */
export async function pullRequestBodies(branches: readonly Upgrade[][]): Promise<string[]> {
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

/** The changelog links in these bodies, under component and proposed version. */
export async function changelogLinks(
  branches: readonly Upgrade[][],
): Promise<Map<string, string[]>> {
  const links = new Map<string, string[]>();
  for (const [index, body] of (await pullRequestBodies(branches)).entries()) {
    for (const { depName, newVersion } of branches[index]!) {
      // The name is a link where the homepage is known.
      const row =
        new RegExp(`^\\| (?:\\[${depName}\\]\\(|${depName} ).*`, 'm').exec(body)?.[0] ?? '';
      const found = Array.from(row.matchAll(/\[changelog\]\((.*?)\)/g), (match) => match[1]!);
      const key = `${depName} ${newVersion}`;
      links.set(key, [...new Set([...(links.get(key) ?? []), ...found])]);
    }
  }
  return links;
}

/** A file of the repository after these updates by Renovate. */
export async function fileAfter(upgrades: readonly Upgrade[], content: string): Promise<string> {
  const { GlobalConfig } = await importRenovate<{ GlobalConfig: { set(config: object): void } }>(
    'config/global.js',
  );
  const { doAutoReplace } = await importRenovate<{
    doAutoReplace(upgrade: Upgrade, content: string, reusesBranch: boolean): Promise<string>;
  }>('workers/repository/update/branch/auto-replace.js');
  GlobalConfig.set({ localDir: temporaryFolder() });
  try {
    let text = content;
    for (const upgrade of upgrades) {
      text = await doAutoReplace(upgrade, text, false);
    }
    return text;
  } finally {
    GlobalConfig.set({});
  }
}
