/** Chromium, for pages as people see them. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type Page } from 'playwright-core';
import { test } from 'vitest';
import { lacks, requireProgram } from './programs.ts';

export interface Look {
  width: number;
  scheme: 'light' | 'dark';
  script: boolean;
  /** Touched, not pointed at. */
  isPhone?: boolean;
}

const usualLook: Look = { width: 1280, scheme: 'light', script: true };

/** Skipped where nobody has Chromium. */
export const browserTest = test.skipIf(lacks('chromium'));

export function launchBrowser(args: readonly string[] = [], without: string[] = []) {
  return chromium.launch({
    executablePath: requireProgram('chromium'),
    args: ['--no-sandbox', ...args],
    ignoreDefaultArgs: without,
  });
}

let browser: Promise<Browser> | undefined;

/** Opens a page in the browser of this process, which ends with it: a start takes as long as a dozen visits. */
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
  // A busy machine is slow.
  context.setDefaultTimeout(200_000);
  context.setDefaultNavigationTimeout(200_000);
  return context.newPage();
}

/** Asks mine.html about a list, and waits for the answer. */
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

/** A slow phone: what comes late is seen to come late. */
const slow = {
  offline: false,
  latency: 100,
  downloadThroughput: 250_000,
  uploadThroughput: 250_000,
};

/** More than this share of what is in view, weighed by its way, has moved. */
const maxShift = 0.02;

/** What is wrong with a page: errors, what axe finds, its width, and whether it moves after it was drawn. */
export async function inspect(address: string, look: Look) {
  // The script of axe runs on a page that was drawn without script.
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
  // On a busy machine, the emulated line stands still in one of 80 visits: not a byte of the page comes.
  const visit = (timeout: number) => page.goto(address, { waitUntil: 'networkidle', timeout });
  await visit(60_000).catch(() => visit(200_000));
  // Each picture takes a frame. Two frames after the last change, the browser has reported it.
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
