import { expect, test } from 'vitest';
import { openRoot } from '../../src/io/files/root.ts';
import { checkAssets } from '../../src/site/check-assets.ts';
import { readSettingFiles } from '../../src/site/site-settings.ts';
import { checkout } from '../harness/checkout.ts';
import { temporaryFolder, writeIn } from '../harness/root.ts';
import { findGrowth } from '../harness/growth.ts';

function check(text: string, name = 'logo.svg') {
  const root = temporaryFolder();
  writeIn(root, `site/assets/${name}`, text);
  const before = process.threadCpuUsage();
  const messages = checkAssets(openRoot(root, checkout)).map(({ message }) => message);
  return { messages, microseconds: process.threadCpuUsage(before).user };
}

// Work that grows with the square would take 64 times as long.
test.each(['<style ', '<style>x', '<style><![CDATA[', '<svg:', ' onx\t', 'href=', 'url( '])(
  'a picture of many %j takes less than 30 times as long if it is eight times as long',
  async (part) => {
    const measure = (length: number) => check(part.repeat(length / part.length)).microseconds;

    expect(await findGrowth(measure, 50_000)).toBeLessThan(30);
  },
);

test.each([
  '<style',
  '<style>a{}',
  '<style/<a>',
  '<style><![CDATA[a]]><b/></style>',
  '<style><![CDATA[@im]]>port "https://example.com/a.css";</style>',
  '<style><![CDATA[@im]]>port "https://example.com/a.css"; ]]></style>',
  '<style><![CDATA[</]]>@im<!-- -->port "https://example.com/a.css";</style>',
])('a picture with the stylesheet %j is rejected', (style) => {
  expect(check(`<svg>${style}`).messages).toEqual([
    expect.stringContaining('expected a picture without scripts'),
  ]);
});

test.each(['<style/>', '<style>a{}</style>', '<style> <![CDATA[a>b[c="d"]{}]]>\n</style>'])(
  'a picture with the stylesheet %j is accepted',
  (style) => {
    expect(check(`<svg>${style}</svg>`).messages).toEqual([]);
  },
);

test.each(['a\\b.png', 'a\nb.png', 'a\u2028b.png'])(
  'the name %j, which no list of digests can have, is rejected',
  (name) => {
    expect(check('', name).messages).toEqual([expect.stringContaining('cannot list this name')]);
  },
);

test.each(['a b.png', 'ü.png', 'c:d.png'])('the name %j is accepted', (name) => {
  expect(check('', name).messages).toEqual([]);
});

test('an asset is checked even if the configuration cannot be read', () => {
  const root = temporaryFolder();
  writeIn(root, 'site/site.json', '{');
  writeIn(root, 'site/assets/logo.js', '');

  const { findings } = readSettingFiles(openRoot(root, checkout), '2026-06-01');

  expect(findings.map(({ subject }) => subject)).toEqual(['site/site.json', 'site/assets/logo.js']);
});
