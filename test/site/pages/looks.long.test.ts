import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { browserTest as test, inspect, openPage, type Look } from '../../harness/browser.ts';
import { buildFolder, writeIndex } from '../../harness/components.ts';
import { serveSite } from '../../harness/serve-site.ts';
import { buildExample } from '../../harness/site.ts';
import { buildUncertain } from '../../harness/uncertain.ts';

const example = await serveSite(buildExample());
const uncertain = await serveSite(join(buildUncertain(), 'dist'));

const looks = [360, 1280].flatMap((width) =>
  (['light', 'dark'] as const).flatMap((scheme) =>
    [true, false].map((script): Look => ({ width, scheme, script })),
  ),
);
const paths = {
  [example.url]: [
    'index.html svc.html#v2025.1 svc.html#v2025.1.9 mine.html mine.html#c=svc@2025.1,edge-node@2.1.0',
    'changes.html use.html use.html#renovate use.html#lists 404.html dashboard-bundle.html',
  ],
  [uncertain.url]: [
    'index.html index.html?q=agnet index.html?q=component%3Aconsole agent.html#v1.1 bundle.html#v1.5.0',
    'gateway.html#v1.0.9 cache.html collector.html console.html newcomer.html plugin.html',
    'runtime.html status.html',
  ],
};

describe.each(
  Object.entries(paths).flatMap(([url, groups]) =>
    groups
      .join(' ')
      .split(' ')
      .map((path) => [path, url]),
  ),
)('the page %s of the site at %s', (path, url) => {
  test.each(looks)(
    'has no layout or accessibility problem: width $width, color scheme $scheme, script $script',
    async (look) => {
      // Without our script, Chromium itself unfolds the row that `#v…` names. On a busy machine, it does so after drawing, so the page
      // moves.
      const opensTarget = !look.script && path!.includes('#v');

      expect(await inspect(url! + path, look)).toEqual({
        problems: [],
        violations: [],
        width: look.width,
        hasMoved: opensTarget ? expect.any(Boolean) : false,
      });
    },
  );
});

/** Returns a title of a given length without spaces, like a package name. */
const writeTitle = (size: number) =>
  'com.fasterxml.jackson.module.parameter_names-'.repeat(5).slice(0, size);

test('titles of 30 to 200 characters fit on a screen that is 360 pixels wide', async () => {
  const support = { policy: 'term', months: 18 };
  const components = [30, 44, 55, 110, 200].flatMap((size) => {
    const title = writeTitle(size);
    const releases = { '1.0': '2025-05-01', '1.1': '2025-07-20', '2.0': '2026-07-20' };
    return [
      [`term-${size}`, { definition: { title, support }, releases }],
      [`plain-${size}`, { definition: { title: title.toUpperCase() }, releases: {} }],
    ] as const;
  });
  const root = writeIndex(Object.fromEntries(components));
  buildFolder(root, '2026-11-27');
  const { url } = await serveSite(join(root, 'dist'));
  const page = await openPage({ width: 360 });
  const tooWide: string[] = [];
  const names = components.map(([name]) => `${name}.html`);
  const paths = ['index.html?q=term', 'index.html?q=isNewestOfLine', 'mine.html#c=term-200@1.0'];
  for (const path of ['index.html', 'status.html', 'changes.html', ...paths, ...names]) {
    await page.goto('about:blank');
    await page.goto(url + path, { waitUntil: 'networkidle' });
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (width > 360) {
      tooWide.push(`${path}: ${width}`);
    }
  }

  expect(tooWide).toEqual([]);
});
