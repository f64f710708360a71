import { foreignPackage, install } from '../harness/install.ts';

/** The client the index is proved with: 300 MB. */
export const renovate = foreignPackage('renovate', '44.121.2');

/** Before the first test: the client is there. */
export default async function installRenovate(): Promise<void> {
  await install(renovate);
}

if (import.meta.main) await installRenovate();
