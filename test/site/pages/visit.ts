import { AxeBuilder } from '@axe-core/playwright';
import type {
  Browser,
  BrowserContextOptions,
  CDPSession,
  Page,
  ViewportSize,
} from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { findBrowser, isBrowserRequired, launchBrowser, missingBrowser } from './browser.ts';
import { asOf } from './built-site.ts';
import { serveFolder } from '../../../src/deliver/host/static-server.ts';

export interface Look extends BrowserContextOptions {
  viewport?: ViewportSize;
  colorScheme?: 'light' | 'dark';
  /** The page loads without script. It is on again once the page is there, because axe needs it. */
  isWithoutScript?: boolean;
  /** The message on the console that the test expects. */
  expectedMessage?: RegExp;
}

export interface Visitor {
  /** The built site. */
  readonly folder: string;
  /** Opens a page for the work. Messages on the console and requests to other hosts fail the test. */
  visit<T>(path: string, look: Look, work: (page: Page) => Promise<T>): Promise<T>;
}

/** One browser serves all tests of a file. */
let running: Promise<Browser> | undefined;
afterAll(async () => (await running)?.close());

/** Tests of a built site in a real browser. Skips them if there is none. */
export function describeInBrowser(
  name: string,
  build: () => string,
  tests: (visitor: Visitor) => void,
): void {
  const executable = findBrowser();
  if (executable === undefined && isBrowserRequired()) {
    throw new Error(`${missingBrowser}, and here one must.`);
  }

  describe.skipIf(executable === undefined)(name, () => {
    let browser: Browser;
    let folder: string;
    let server: Awaited<ReturnType<typeof serveFolder>> | undefined;

    beforeAll(async () => {
      folder = build();
      server = await serveFolder(folder);
      browser = await (running ??= launchBrowser(executable!));
    });

    afterAll(() => server?.close());

    tests({
      get folder() {
        return folder;
      },
      visit: (path, look, work) => visit(browser, server!.url, path, look, work),
    });
  });
}

interface OpenPage {
  readonly page: Page;
  readonly devTools: CDPSession;
}

/** Pages to reuse, by their options: opening a page takes as long as a visit. */
const left = new Map<string, OpenPage[]>();

async function openPage(browser: Browser, options: BrowserContextOptions): Promise<OpenPage> {
  const context = await browser.newContext(options);
  // Only a page that hangs fails, also on a machine that does much else.
  context.setDefaultTimeout(200_000);
  const page = await context.newPage();
  return { page, devTools: await context.newCDPSession(page) };
}

/** Removes what the page and the test have set. The page stays at the site, as for another Chromium starts a process. */
async function leave({ page, devTools }: OpenPage, url: string): Promise<void> {
  for (const event of ['console', 'pageerror', 'request'] as const) {
    page.removeAllListeners(event);
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const body = '<!doctype html><link rel="icon" href="data:,">';
  await page.route('**/left', (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(`${url}/left`);
  await page.unrouteAll();
  await devTools.send('Network.clearBrowserCache');
}

async function visit<T>(
  browser: Browser,
  url: string,
  path: string,
  {
    isWithoutScript = false,
    expectedMessage,
    viewport = { width: 1280, height: 900 },
    colorScheme = 'light',
    ...options
  }: Look,
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const key = JSON.stringify(options);
  const open = left.get(key)?.pop() ?? (await openPage(browser, options));
  const { page, devTools } = open;
  try {
    const said: string[] = [];
    const elsewhere: string[] = [];
    page.on('console', (message) => {
      if (!expectedMessage?.test(message.text())) {
        said.push(message.text());
      }
    });
    page.on('pageerror', (error) => said.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(url)) {
        elsewhere.push(request.url());
      }
    });
    await page.setViewportSize(viewport);
    await page.emulateMedia({ media: null, colorScheme });
    // Pages must not depend on the clock of the machine.
    await page.clock.setFixedTime(`${asOf}T12:00:00Z`);
    await devTools.send('Emulation.setScriptExecutionDisabled', { value: isWithoutScript });
    await page.goto(`${url}/${path}`);
    await devTools.send('Emulation.setScriptExecutionDisabled', { value: false });
    const result = await work(page);
    expect(said, `console of ${path}`).toEqual([]);
    expect(elsewhere, `requests of ${path} to other hosts`).toEqual([]);
    await leave(open, url);
    left.set(key, [...(left.get(key) ?? []), open]);
    return result;
  } catch (error) {
    await page.context().close();
    throw error;
  }
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The problems that axe finds, one line for each element. */
export async function audit(page: Page): Promise<string[]> {
  // The default mode opens one more page, which only frames need.
  const axe = new AxeBuilder({ page }).setLegacyMode().withTags(tags);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
  );
}

/** The width in pixels by which a page exceeds its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}
