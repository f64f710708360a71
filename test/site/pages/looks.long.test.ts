import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test as anyTest } from 'vitest';
import { inspect, openBrowser, type Look } from '../../harness/browser.ts';
import { lacks } from '../../harness/programs.ts';
import { serveSite } from '../../harness/serve-site.ts';
import { buildExample } from '../../harness/site.ts';
import { buildUncertain } from '../../harness/uncertain.ts';

const test = anyTest.skipIf(lacks('chromium'));
let browser: Browser;
let sites: Record<string, Awaited<ReturnType<typeof serveSite>>>;

beforeAll(async () => {
  sites = {
    example: await serveSite(buildExample()),
    uncertain: await serveSite(join(buildUncertain(), 'dist')),
  };
  browser = await openBrowser();
});

afterAll(() => browser.close());

const looks = [360, 1280].flatMap((width) =>
  (['light', 'dark'] as const).flatMap((scheme) =>
    [true, false].map((script): Look => ({ width, scheme, script })),
  ),
);

describe.each([
  'example index.html',
  'example svc.html#v2025.1',
  'example svc.html#v2025.1.9',
  'example dashboard-bundle.html',
  'example mine.html',
  'example mine.html#c=svc@2025.1,edge-node@2.1.0',
  'example changes.html',
  'example use.html',
  'example 404.html',
  'uncertain index.html',
  'uncertain index.html?q=agnet',
  'uncertain index.html?q=component%3Aconsole',
  'uncertain agent.html#v1.1',
  'uncertain bundle.html#v1.5.0',
  'uncertain cache.html',
  'uncertain collector.html',
  'uncertain console.html',
  'uncertain gateway.html#v1.0.9',
  'uncertain newcomer.html',
  'uncertain plugin.html',
  'uncertain runtime.html',
  'uncertain status.html',
])('%s', (address) => {
  const [name = '', path] = address.split(' ');
  test.each(looks)(
    'at $width in $scheme, with script $script: nothing moves, nothing is cut off, axe finds nothing',
    async (look) => {
      expect(await inspect(browser, sites[name]!.url + path!, look)).toEqual({
        problems: [],
        violations: [],
        width: look.width,
        hasMoved: false,
      });
    },
  );
});
