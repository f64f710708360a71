import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { linesOf } from '../harness/cli.ts';
import { filesIn, readJsonIn, smallRoot } from '../harness/root.ts';
import { runHere } from '../harness/run-here.ts';
import { siteOf } from '../harness/site.ts';

const users = [{ username: 'jane', email: 'jane@example.com' }];
const rootWith = (access: unknown) => smallRoot({ 'site/site.json': siteConfig, 'site/access.json': access });
const siteConfig = {
  title: 'Release index',
  description: 'All releases.',
  datasource: 'release-index',
  releasesUrl: 'https://releases.example.com',
  repositoryUrl: 'https://github.com/example/release-index',
  staleAfterDays: 3,
};

test('a site that asks for a credential everywhere may be kept by no shared cache, and by no crawler', () => {
  const out = siteOf(rootWith({ protect: 'everything', users }));
  const read = (path: string) => readFileSync(join(out, path), 'utf8');

  expect(read('_headers')).toContain('  Cache-Control: private, max-age=3600\n');
  expect(read('_headers')).not.toContain('public');
  expect(read('robots.txt')).toBe('User-agent: *\nDisallow: /\n');
});

test('no user is named in a site', () => {
  const out = siteOf(
    rootWith({
      protect: 'everything',
      users: [{ username: 'jane', email: 'jane@whose.name.nobody.reads' }],
    }),
  );

  expect(Object.values(filesIn(out)).filter((text) => text.includes('whose.name.nobody.reads'))).toEqual([]);
});

test('a site whose files everybody may read has the headers that it would have without a word about access', () => {
  const [open, mcp] = [
    siteOf(smallRoot({ 'site/site.json': siteConfig })),
    siteOf(rootWith({ protect: 'mcp', users })),
  ].map(filesIn);

  for (const path of ['_headers', 'robots.txt', 'svc.json', 'all.json']) expect(mcp![path]).toBe(open![path]);
});

describe('a contradiction in who may read it', () => {
  const broken = rootWith({ protect: 'everything', users, accessKeys: { enabled: false }, issuers: [] });
  const sentences = [
    'error: site/access.json: issuers: unknown key; it belongs into externalOauth; remove or correct it',
    'error: site/access.json: accessKeys.enabled: nobody could read the index: enable access keys, or name an issuer in externalOauth; got false',
  ];

  test.each(['check', 'build'])('is named by %s', async (verb) => {
    const { status, stderr } = await runHere([verb, '--root', broken]);

    expect({ status, lines: linesOf(stderr) }).toMatchObject({
      status: 1,
      lines: expect.arrayContaining(sentences) as unknown,
    });
  });

  test('keeps the site from being built', async () => {
    await runHere(['build', '--root', broken]);

    expect(filesIn(join(broken, 'dist'))).toEqual({});
  });
});

test('a change of who may read it makes a built site an outdated one', () => {
  const inputs = (out: string) => readJsonIn<{ inputs: string }>(out, 'status.json').inputs;

  expect(inputs(siteOf(rootWith({ protect: 'mcp', users })))).not.toBe(
    inputs(siteOf(rootWith({ protect: 'everything', users }))),
  );
});
