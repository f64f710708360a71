/** Lists as tools write them, on the page that reads them: the words of the command. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { formatDay } from '../../../src/core/words.ts';
import { browserTest as test, openPage } from '../../harness/browser.ts';
import { runCli } from '../../harness/cli.ts';
import { listedSite, lists, listsFolder } from '../../harness/listed-index.ts';
import { serveSite } from '../../harness/serve-site.ts';

test('mine.html says of each list what scan says', async () => {
  const site = await serveSite(listedSite);
  const page = await openPage();
  await page.goto(`${site.url}mine.html`);
  for (const file of lists.flatMap(([, listed]) => listed.map((each) => each.split(': ')[0]!))) {
    const path = join(listsFolder, file);
    const { stdout } = await runCli(['scan', path, '--out', listedSite]);
    const [, words = ''] = /^On 2026-11-27, \d+ fail\. (.*)$/m.exec(stdout) ?? [];
    await page.evaluate("document.querySelector('#answer').textContent = ''");
    await page.setInputFiles('[type=file]', path);
    await page.locator('#answer h2').waitFor();

    const told = await page.locator('#answer > .note').textContent();
    const spoken = words.replaceAll(/\d{4}-\d\d-\d\d/g, formatDay);
    expect(told?.replaceAll('\t', String.raw`\u0009`), file).toBe(spoken);
  }
});
