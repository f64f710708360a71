import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test as anyTest } from 'vitest';
import { inspect, openBrowser, type Look } from '../../harness/browser.ts';
import { lacks } from '../../harness/programs.ts';
import { serveSite } from '../../harness/serve-site.ts';
import { buildExample } from '../../harness/site.ts';

const test = anyTest.skipIf(lacks('chromium'));
let browser: Browser;
let site: Awaited<ReturnType<typeof serveSite>>;

beforeAll(async () => {
  site = await serveSite(buildExample());
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  site.close();
});

const looks = [360, 1280].flatMap((width) =>
  (['light', 'dark'] as const).flatMap((scheme) =>
    [true, false].map((script): Look => ({ width, scheme, script })),
  ),
);

describe.each([
  'index.html',
  'index.html?q=isLatest%3Atrue',
  'svc.html',
  'svc.html#v2025.1',
  'svc.html#v2025.1.9',
  'build-agent-gradle.html#v3.9',
  'build-cache-node.html',
  'dashboard-bundle.html',
  'mine.html',
  'mine.html#c=svc@2025.1,edge-node@2.1.0',
  'changes.html',
  'status.html',
  'use.html',
  '404.html',
])('%s', (path) => {
  test.each(looks)(
    'at $width in $scheme, with script $script: nothing moves, nothing is cut off, axe finds nothing',
    async (look) => {
      expect(await inspect(browser, site.url + path, look)).toEqual({
        problems: [],
        violations: [],
        width: look.width,
        hasMoved: false,
      });
    },
  );
});
