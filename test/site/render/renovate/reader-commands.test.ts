import { expect, test } from 'vitest';
import {
  isClosed,
  listEndpoints,
  writeCurl,
  writeReadingCommand,
  type SiteContext,
} from '../../../../src/site/render/site-context.ts';

const baseUrl = 'https://releases.example.com';
const siteOf = (protect?: string, hosting = 'cloudflare') =>
  ({
    baseUrl,
    config: { hosting },
    access: protect === undefined ? undefined : { protect },
  }) as unknown as SiteContext;

test.each([
  [undefined, false],
  ['mcp', false],
  ['everything', true],
])('the commands for an index that protects %s have a key: %s', (protect, hasKey) => {
  const site = siteOf(protect);

  expect(isClosed(site)).toBe(hasKey);
  expect(writeCurl(site)).toBe(
    hasKey ? 'curl -H "Authorization: Bearer $RELEASE_INDEX_KEY"' : 'curl',
  );
  expect(writeReadingCommand(site, 'npx x')).toMatch(
    hasKey ? /^\w+RELEASES_EXAMPLE_COM="Bearer \$RELEASE_INDEX_KEY" npx x$/ : /^npx x$/,
  );
});

test('a host of files has no endpoints, and one that is not protected makes no tokens', () => {
  const names = (site: SiteContext) => listEndpoints(site).map(({ name }) => name);

  expect(names(siteOf('mcp', 'pages'))).toEqual([]);
  expect(names(siteOf())).not.toEqual([]);
  expect(names(siteOf())).not.toContain('make-token');
  expect(names(siteOf('mcp'))).toEqual([...names(siteOf()), 'make-token']);
});
