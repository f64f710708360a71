import { join } from 'node:path';
import { expect, test } from 'vitest';
import { differencesFromCheckout, emptyComputer, packagesToAdd, packProgram } from '../harness/own-index.ts';
import { readJsonIn } from '../harness/root.ts';
import { oldestNode } from './install.ts';

test('on the oldest Node that the package takes, it makes the site that the checkout makes, byte for byte', async () => {
  const index = await emptyComputer(packProgram(), join(oldestNode.dir, 'bin'));
  try {
    const commands = [
      'npx release-index init',
      // Without what is only for hosts.
      'npm install --omit=dev',
      ...packagesToAdd.map((name) => `npx release-index add npm ${name}`),
      'npx release-index gather',
      'npx release-index build',
      'npx release-index check',
    ];

    const { stdout: version } = await index.shell('node --version');
    for (const command of commands) expect(await index.shell(command), command).toMatchObject({ status: 0 });

    expect(version).toBe(`v${oldestNode.version}\n`);
    expect(readJsonIn(index.folder, 'node_modules/release-index/package.json')).toMatchObject({
      engines: { node: `>=${oldestNode.version}` },
    });
    expect(readJsonIn(index.folder, 'dist/index.json')).toEqual(['agent', 'eslint', 'server']);
    expect(await differencesFromCheckout(index.folder)).toEqual([]);
  } finally {
    index.registry.close();
  }
}, 300_000);
