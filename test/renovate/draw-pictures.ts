// Draws the pictures of the README from the example of this checkout: npm run pictures
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { toDay } from '../../src/core/model/dates.ts';
import { serveFolder } from '../../src/deliver/host/static-server.ts';
import { formatDocument } from '../../src/io/files/save.ts';
import { removeTemporaryFolders, writeIn } from '../harness/root.ts';
import { findBrowser, launchBrowser, missingBrowser } from '../site/pages/browser.ts';
import installRenovate, { renovate } from './install.ts';
import { imageFolder, readExample, type PullRequest } from './pictures.ts';

const style = `
:root { color-scheme: light dark; --line: light-dark(#d1d9e0, #3d444d); --grey: light-dark(#59636e, #9198a1);
  --box: light-dark(#f6f8fa, #151b23); --link: light-dark(#0969da, #4493f8); --red: light-dark(#a40e26, #ffb3ae);
  --pink: light-dark(#ffebe9, #3c1618); }
body { margin: 0; padding: 24px; background: light-dark(#fff, #0d1117); color: light-dark(#1f2328, #f0f6fc);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { margin: 0 0 14px; font-size: 24px; font-weight: 400; }
h1 span, header { color: var(--grey); }
article { border: 1px solid var(--line); border-radius: 6px; }
header { padding: 8px 16px; background: var(--box); border-bottom: 1px solid var(--line); }
header b { color: light-dark(#1f2328, #f0f6fc); }
header i { float: right; padding: 0 10px; border: 1px solid; border-radius: 20px; background: var(--pink); color: var(--red);
  font: 12px/20px system-ui, sans-serif; }
div { padding: 0 16px; }
a { color: var(--link); }
table { border-collapse: collapse; }
th, td { padding: 6px 13px; border: 1px solid var(--line); text-align: left; }
code { padding: 2px 5px; border-radius: 6px; background: light-dark(#eff1f3, #262c36); font: 12.5px ui-monospace, monospace; }`;

const executable = findBrowser();
if (executable === undefined) {
  throw new Error(missingBrowser);
}

await installRenovate();

const day = toDay(new Date());
const { dir, pullRequest, words } = await readExample(day);
const server = await serveFolder(dir);
const browser = await launchBrowser(executable);

for (const colorScheme of ['light', 'dark'] as const) {
  const firstPage = await browser.newPage({ colorScheme, viewport: { width: 1100, height: 820 } });
  await firstPage.clock.setFixedTime(`${day}T12:00:00Z`);
  await firstPage.goto(`${server.url}/index.html`);
  await save(firstPage, `index-${colorScheme}.png`);

  // Another page: the rules of the site against foreign styles would stay.
  const proposal = await browser.newPage({ colorScheme, viewport: { width: 1000, height: 200 } });
  await proposal.setContent(renderPullRequest(pullRequest));
  await save(proposal, `pull-request-${colorScheme}.png`, true);
}

writeIn(imageFolder, 'words.json', formatDocument(words));
await Promise.all([browser.close(), server.close()]);
removeTemporaryFolders();

// Renovate waits for its next run.
process.exit();

async function save(page: Page, name: string, fullPage = false): Promise<void> {
  await page.screenshot({ path: join(imageFolder, name), fullPage, animations: 'disabled' });
}

/** As GitHub shows it. */
function renderPullRequest({ title, labels, body }: PullRequest): string {
  const MarkdownIt = createRequire(join(renovate.dir, 'package.json'))('markdown-it') as new () => {
    render(text: string): string;
  };

  return `<!doctype html><meta charset="utf-8"><style>${style}</style>
<h1>${title} <span>#42</span></h1>
<article><header><b>renovate</b> commented ${labels.map((label) => `<i>${label}</i>`).join(' ')}</header>
<div>${new MarkdownIt().render(body)}</div></article>`;
}
