/** Opens and inspects pages in Chromium. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type Page } from 'playwright-core';
import { test } from 'vitest';
import { lacks, requireProgram, type Program } from './programs.ts';

export interface Look {
  width: number;
  scheme: 'light' | 'dark';
  script: boolean;
  /** Emulates a touch screen. */
  isPhone?: boolean;
}

const usualLook: Look = { width: 1280, scheme: 'light', script: true };

/** Declares a test that is skipped if Chromium is not installed. */
export const browserTest = test.skipIf(lacks('chromium-headless-shell'));

export function launchBrowser({
  program = 'chromium-headless-shell',
  args = [],
  without = [],
}: { program?: Program; args?: readonly string[]; without?: string[] } = {}) {
  return chromium.launch({
    executablePath: requireProgram(program),
    // Without --disable-gpu, Chromium imitates a graphics card. This would take a tenth of the time of page tests.
    args: ['--no-sandbox', '--disable-gpu', ...args],
    ignoreDefaultArgs: without,
  });
}

let browser: Promise<Browser> | undefined;

/** Opens a page. Starting Chromium takes as long as a dozen visits, so all tests of a process share one browser. */
export async function openPage(look: Partial<Look> = {}): Promise<Page> {
  const { width, scheme, script, isPhone = false } = { ...usualLook, ...look };
  browser ??= launchBrowser();
  const started = await browser;
  const context = await started.newContext({
    viewport: { width, height: 800 },
    colorScheme: scheme,
    isMobile: isPhone,
    hasTouch: isPhone,
    javaScriptEnabled: script,
    reducedMotion: 'reduce',
  });
  // The time limits are long, because Chromium is slow on a busy machine.
  context.setDefaultTimeout(200_000);
  context.setDefaultNavigationTimeout(200_000);
  const page = await context.newPage();
  page.on('pageerror', (error) => {
    if (isScriptBroken(error)) {
      // Ends what the test waits for, because a broken script never gives it.
      console.error(`A script of ${page.url()} is broken: ${error.stack}`);
      void context.close();
    }
  });
  return page;
}

/** Tells whether an error comes from a mistake in a script. Other errors come from a request that failed, as some tests want. */
function isScriptBroken({ name, message }: Error): boolean {
  return name !== 'Error' && name !== 'AbortError' && !message.includes('fetch');
}

/** Enters a list on mine.html, and waits for the answer. */
export async function askList(page: Page, list: string): Promise<void> {
  await page.evaluate("document.querySelector('#answer').textContent = ''");
  await page.fill('textarea', list);
  await page.click('.my-list button');
  await page.locator('#answer h2').waitFor();
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
  violations: { id: string; nodes: { html: string }[] }[];
}

/**
 * Emulates a slow phone line, so that a late change of a page becomes visible. `latency` is in milliseconds. The throughputs are in bytes
 * per second.
 */
const slow = {
  offline: false,
  latency: 100,
  downloadThroughput: 250_000,
  uploadThroughput: 250_000,
};

/** The largest cumulative layout shift (web.dev/articles/cls) that a page may have. */
const maxShift = 0.02;

/**
 * Returns a page's script errors, and the accessibility violations that axe finds in it. Also returns its width, and whether content moves
 * after it was drawn.
 */
export async function inspect(address: string, look: Look) {
  // axe is a script, so this page always allows scripts. If `look.script` is false, the developer tools disable scripts while the page
  // loads, and enable them before axe runs.
  const page = await openPage({ ...look, script: true });
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') {
      problems.push(message.text());
    }
  });
  page.on('pageerror', ({ message }) => problems.push(message));

  const devTools = await page.context().newCDPSession(page);
  let shift = 0;
  devTools.on('PerformanceTimeline.timelineEventAdded', ({ event }) => {
    shift += event.layoutShiftDetails?.value ?? 0;
  });
  await devTools.send('Network.enable');
  await devTools.send('Network.emulateNetworkConditions', slow);
  await devTools.send('Emulation.setScriptExecutionDisabled', { value: !look.script });
  await devTools.send('PerformanceTimeline.enable', { eventTypes: ['layout-shift'] });
  // On a busy machine, Chromium's emulated network stalls in one of 80 visits before the first byte arrives. So a failed visit is repeated
  // once.
  const visit = (timeout: number) => page.goto(address, { waitUntil: 'networkidle', timeout });
  await visit(60_000).catch(() => visit(200_000));
  // Chromium reports a layout shift within the next two frames. Each screenshot draws a frame. So after two screenshots, `shift` includes
  // every layout shift.
  await page.screenshot();
  await page.screenshot();
  const hasMoved = shift > maxShift;

  await devTools.send('Emulation.setScriptExecutionDisabled', { value: false });
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  await page.evaluate(axe);
  const results = await page.evaluate<AxeResults>('axe.run()');
  const violations = results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html}`),
  );
  await page.context().close();
  return { problems, violations, width, hasMoved };
}
