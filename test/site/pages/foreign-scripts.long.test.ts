import { cpSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder, writeIn } from '../../harness/root.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { answer, startUpstream, type Upstream } from '../../harness/upstream.ts';
import { serveSite, type ServedSite } from '../../harness/worker.ts';
import { findBrowser, isBrowserRequired, launchBrowser, missingBrowser } from './browser.ts';

// Templates and pictures may be of an index itself. Each of these runs the mark where a server sends no policy.
const mark = "document.documentElement.dataset.ran = 'yes'";
const page = (html: string) => `<!doctype html><html lang="en"><title>Ours</title>${html}`;

const documents: readonly [name: string, path: string, content: string][] = [
  ['an inline script', 'inline.html', page(`<script>${mark}</script>`)],
  ['an inline module', 'module.html', page(`<script type="module">${mark}</script>`)],
  ['a handler', 'handler.html', page(`<img src="nothing.png" onerror="${mark}">`)],
  ['a script as data', 'data.html', page(`<script src="data:,${encodeURI(mark)}"></script>`)],
  ['a script of another host', 'host.html', page('<script src="{elsewhere}a.js"></script>')],
  ['another base', 'base.html', page('<base href="{elsewhere}"><script src="a.js"></script>')],
  ['a frame of another host', 'frame.html', page('<iframe src="{elsewhere}a.js"></iframe>')],
  ['an object of another host', 'object.html', page('<object data="{elsewhere}a.js"></object>')],
  ['a picture of another host', 'image.html', page('<img src="{elsewhere}a.js">')],
  ['a stylesheet as a script', 'css.html', page('<script src="assets/own.css"></script>')],
  ['a document as a script', 'json.html', page('<script src="a.json"></script>')],
  ['a text as a script', 'text.html', page('<script src="a.txt"></script>')],
  [
    'a picture with a script',
    'assets/script.svg',
    `<svg xmlns="http://www.w3.org/2000/svg"><script>${mark}</script></svg>`,
  ],
  [
    'a picture with a handler',
    'assets/handler.svg',
    `<svg xmlns="http://www.w3.org/2000/svg" onload="${mark}"/>`,
  ],
  [
    'a picture with a page',
    'assets/page.svg',
    `<svg xmlns="http://www.w3.org/2000/svg"><foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><script>${mark}</script></body></foreignObject></svg>`,
  ],
];

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.svg': 'image/svg+xml',
  '.css': 'text/css',
  '.json': 'application/json',
  '.txt': 'text/plain',
};

const executable = findBrowser();
if (executable === undefined && isBrowserRequired()) {
  throw new Error(`${missingBrowser}, and here one must.`);
}

describe.skipIf(executable === undefined)('with the headers of the host', () => {
  let browser: Browser;
  let elsewhere: Upstream;
  let bare: Upstream;
  let site: ServedSite;

  beforeAll(async () => {
    elsewhere = await startUpstream(
      () => (_, response) => answer(response, 200, 'text/javascript', mark),
    );
    const out = temporaryFolder();
    cpSync(siteOfFixtureIndex(), out, { recursive: true });
    for (const [, path, content] of documents) {
      writeIn(out, path, content.replaceAll('{elsewhere}', elsewhere.url));
    }
    for (const path of ['assets/own.css', 'a.json', 'a.txt']) {
      writeIn(out, path, mark);
    }
    bare = await startUpstream(() => ({ url = '' }, response) => {
      const type = types[extname(url)];
      return type === undefined
        ? answer(response, 404, 'text/plain', '')
        : answer(response, 200, type, readFileSync(join(out, url)));
    });
    site = await serveSite(out);
    browser = await launchBrowser(executable!);
  });

  afterAll(() => Promise.all([browser?.close(), site?.close(), elsewhere?.close(), bare?.close()]));

  /** Whether a document ran its code, or asked another host. */
  async function hasEffect(address: string): Promise<boolean> {
    elsewhere.requests.length = 0;
    const opened = await browser.newPage();
    await opened.goto(address);
    const ran = await opened.locator(':root').getAttribute('data-ran');
    await opened.close();
    return ran !== null || elsewhere.requests.length > 0;
  }

  test.each(documents)('nothing runs of %s', async (_, path) => {
    expect(await hasEffect(`${bare.url}${path}`)).toBe(true);
    expect(await hasEffect(`${site.url}${path}`)).toBe(false);
  });
});
