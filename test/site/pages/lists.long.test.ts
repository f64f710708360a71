/** Judges lists of packages that real tools have written, in a browser. The summary must be the same as `scan` prints. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { formatDay } from '../../../src/core/phrases.ts';
import { browserTest, openPage } from '../../harness/browser.ts';
import { runCli } from '../../harness/cli.ts';
import { cases, listedSite, listsFolder, readSummary } from '../../harness/listed-index.ts';
import { serveSite } from '../../harness/serve-site.ts';

async function scan(file: string): Promise<string> {
  const { stdout } = await runCli(['scan', join(listsFolder, file), '--out', listedSite]);
  return readSummary(stdout);
}

browserTest('mine.html shows the same summary as scan for each list', async () => {
  const site = await serveSite(listedSite);
  const page = await openPage();
  await page.goto(`${site.url}mine.html`);
  for (const { file } of cases) {
    const words = await scan(file);
    await page.evaluate("document.querySelector('#answer').textContent = ''");
    await page.setInputFiles('[type=file]', join(listsFolder, file));
    await page.locator('#answer h2').waitFor();

    const shown = await page.locator('#answer > .note').first().textContent();
    const spoken = words
      .replaceAll(/\d{4}-\d\d-\d\d/g, formatDay)
      // The page has a link instead of this URL.
      .replace(/: https:\S+#lists$/, '');
    expect(shown?.replaceAll('\t', String.raw`\u0009`), file).toBe(spoken);
  }
});
