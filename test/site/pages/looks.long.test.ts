import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { browserTest as test, inspect, type Look } from '../../harness/browser.ts';
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
)('%s of %s', (path, url) => {
  test.each(looks)('at $width in $scheme, with script $script, has nothing wrong', async (look) => {
    // Without our script, Chromium opens the fold of a target itself, on a busy machine after it has drawn the page.
    const opensTarget = !look.script && path!.includes('#v');

    expect(await inspect(url! + path, look)).toEqual({
      problems: [],
      violations: [],
      width: look.width,
      hasMoved: opensTarget ? expect.any(Boolean) : false,
    });
  });
});
