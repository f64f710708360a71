import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const usualPlaces = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const missingBrowser =
  'No Chromium is there to look at the pages with (RELEASE_INDEX_BROWSER may name one)';

/** The Chromium of this machine, or the one that `RELEASE_INDEX_BROWSER` names; undefined where there is none. */
export function findBrowser(): string | undefined {
  const named = process.env['RELEASE_INDEX_BROWSER'];
  return (named === undefined ? usualPlaces : [named]).find((path) => existsSync(path));
}

/** Whether it would be a mistake to go on without a browser. */
export function isBrowserRequired(): boolean {
  return Boolean(process.env['CI']) || process.env['RELEASE_INDEX_BROWSER'] !== undefined;
}

export function launchBrowser(executablePath: string): Promise<Browser> {
  // Chromium's sandbox does not work for root, which containers run as.
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
