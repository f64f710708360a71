import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { findBrowser, launchBrowser, missingBrowser } from './browser.ts';
import { buildCheckout, buildSynthetic } from './built-site.ts';
import { removeTemporaryFolders } from '../../harness/root.ts';
import { serveFolder } from '../../../src/deliver/host/static-server.ts';
import { syntheticComponents } from './synthetic.ts';

/** `npm run screenshots`: pictures of the pages to look at, in `.cache/screenshots`. */
const folder = join(
  dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url))))),
  '.cache',
  'screenshots',
);

const looks = [
  { name: 'wide-light', width: 1280, colorScheme: 'light' },
  { name: 'wide-dark', width: 1280, colorScheme: 'dark' },
  { name: 'narrow-light', width: 360, colorScheme: 'light' },
  { name: 'narrow-dark', width: 360, colorScheme: 'dark' },
] as const;

const realPages = [
  'index',
  'api',
  '404',
  'svc',
  'build-cache-node',
  'build-agent-gradle',
  'build-agent-docker',
];

async function photograph(browser: Browser, url: string, pages: readonly string[]): Promise<void> {
  for (const { name: look, width, colorScheme } of looks) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    for (const name of pages) {
      const response = await page.goto(`${url}/${name}.html`);
      if (response?.status() !== 200 && name !== '404')
        console.error(`${name}.html: not there, not photographed`);
      else await page.screenshot({ path: join(folder, `${name}-${look}.png`), fullPage: true });
    }
    await context.close();
  }
}

const executable = findBrowser();
if (executable === undefined) throw new Error(missingBrowser);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const browser = await launchBrowser(executable);
const synthetic = syntheticComponents();
for (const [site, pages] of [
  [buildCheckout(), realPages],
  [buildSynthetic(synthetic), Object.keys(synthetic)],
] as const) {
  const server = await serveFolder(site.out);
  await photograph(browser, server.url, pages);
  await server.close();
  site.remove();
}
await browser.close();
removeTemporaryFolders();
console.log(folder);
