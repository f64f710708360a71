import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openRoot } from '../../src/io/files/root.ts';
import { readSettings } from '../../src/site/site-settings.ts';
import { checkout } from '../harness/checkout.ts';
import { runCopied, snippetsIn } from '../harness/page-command.ts';
import { filesIn, readJsonIn, smallRoot } from '../harness/root.ts';
import { runHere } from '../harness/run-here.ts';
import { siteOf } from '../harness/site.ts';
import { startUpstream } from '../harness/upstream.ts';
import { covers } from '../harness/covers.ts';

const users = [{ username: 'jane', email: 'jane@whose.name.nobody.reads' }];
const rootWith = (access: unknown) =>
  smallRoot({
    'site/site.json': siteConfig,
    ...(access !== undefined && { 'site/access.json': access }),
  });
const built = new Map<string | undefined, string>();
/** Built once for each kind of access. */
function siteWith(access?: object): string {
  const key = JSON.stringify(access);
  const out = built.get(key) ?? siteOf(rootWith(access));
  built.set(key, out);
  return out;
}
const siteConfig = {
  title: 'Release index',
  description: 'All releases.',
  datasource: 'release-index',
  releasesUrl: 'https://releases.example.com',
  repositoryUrl: 'https://github.com/example/release-index',
  staleAfterDays: 3,
};

test('a site that needs a credential names no user, and no shared cache or crawler may keep it', () => {
  const out = siteWith({ protect: 'everything', users });
  const read = (path: string) => readFileSync(join(out, path), 'utf8');

  expect(read('_headers')).toContain('  Cache-Control: private, max-age=3600\n');
  expect(read('_headers')).not.toContain('public');
  expect(read('robots.txt')).toBe('User-agent: *\nDisallow: /\n');
  expect(
    Object.values(filesIn(out)).filter((text) => text.includes('whose.name.nobody.reads')),
  ).toEqual([]);
});

describe('the page on use', () => {
  const issuer = {
    uri: 'https://login.example.com/',
    accessTokenFormat: 'opaque',
    restrictByDomain: false,
  };
  const pageOf = (access: object) => {
    const html = readFileSync(join(siteWith({ ...access, users }), 'use.html'), 'utf8');
    return { html, snippets: snippetsIn(html) };
  };

  test('has texts to paste that send the credential', async () => {
    const { html, snippets } = pageOf({
      protect: 'everything',
      externalOauth: { issuers: [issuer] },
    });
    const url = 'https://releases.example.com/mcp';

    expect(html).toContain('<code>https://login.example.com/</code>');
    expect(JSON.parse(snippets.get('Renovate inside a company')!)).toEqual({
      hostRules: [
        { matchHost: 'https://releases.example.com/', allowInternal: true, token: 'KEY' },
      ],
    });
    expect(snippets.get('Claude Code, signing in')).toBe(
      `claude mcp add --transport http releases ${url}\n`,
    );
    expect(await authorizationSentBy(snippets.get('A request with a key')!)).toBe('Bearer secret');
    expect(await authorizationSentBy(snippets.get('A request for a token')!)).toBe('Bearer secret');
  });

  test('has texts only for the accepted credentials', () => {
    const ofAgents = pageOf({ protect: 'mcp' });
    const ofTokens = pageOf({
      protect: 'everything',
      accessKeys: { enabled: false },
      externalOauth: { issuers: [issuer] },
    });

    const titlesOf = ({ html }: { html: string }) => [
      ...snippetsIn(html.slice(html.indexOf('id="private"'))).keys(),
    ];
    const hostRule = 'Renovate inside a company';
    const agents = ['Claude Code, with a key', 'A request for a token'];
    expect(titlesOf(ofAgents)).toEqual([hostRule, ...agents]);
    expect(titlesOf(ofTokens)).toEqual([hostRule, 'Claude Code, signing in']);
  });

  test('names a credential only if something needs one', () => {
    const open = filesIn(siteWith());
    const closed = filesIn(siteWith({ protect: 'mcp', users }));

    expect(open['use.html']).not.toMatch(/RELEASE_INDEX_KEY|credential/);
    for (const path of ['_headers', 'robots.txt', 'svc.json']) {
      expect(closed[path]).toBe(open[path]);
    }
    expect(closed['use.html']).toContain('RELEASE_INDEX_KEY');
  });
});

test('each command on a page sends the key if every file needs one, and otherwise none does', () => {
  const commandsOf = (access?: object) => {
    const pages = Object.entries(filesIn(siteWith(access))).filter(([path]) =>
      path.endsWith('.html'),
    );
    return pages.flatMap(([path, html]) =>
      Array.from(snippetsIn(html), ([title, text]) => ({ from: `${path}: ${title}`, text })).filter(
        ({ text }) => /\bcurl |release-index(?:@1)? (?:scan|search|verify) /.test(text),
      ),
    );
  };
  const isTold = ({ text }: { text: string }) =>
    text.includes('"Bearer $RELEASE_INDEX_KEY"') ||
    text.includes('Authorization: Bearer $RELEASE_INDEX_KEY');
  const [open, closed] = [commandsOf(), commandsOf({ protect: 'everything', users })];

  expect(open.length).toBeGreaterThan(8);
  expect(open.filter(isTold)).toEqual([]);
  expect(closed.length).toBeGreaterThanOrEqual(open.length);
  expect(closed.filter((command) => !isTold(command))).toEqual([]);
});

interface Described {
  security: object[];
  responses: Record<string, { description: string; content: object }>;
}

test('openapi.json states the permission for each path of a private index', async () => {
  covers('Operations require permissions, given by OpenAPI');
  const describedBy = (out: string) =>
    readJsonIn<{
      info: { description: string };
      security: object[];
      paths: Record<string, Record<string, Described>>;
    }>(out, 'openapi.json');
  const [everything, mcp] = ['everything', 'mcp'].map((protect) =>
    describedBy(siteWith({ protect, users })),
  );

  for (const document of [everything, mcp]) {
    expect(await new Validator().validate(document!)).toMatchObject({ valid: true });
  }
  const permissionsOf = (path: string, method: string) =>
    everything!.paths[path]![method]!.security;
  expect(permissionsOf('/{component}.json', 'get')).toEqual([{ credential: ['read'] }]);
  expect(permissionsOf('/build-export/v2/builds/since/{date}', 'get')).toEqual([
    { credential: ['export'] },
  ]);
  expect(permissionsOf('/api/builds', 'get')).toEqual([{ credential: ['read'] }]);
  expect(permissionsOf('/api/auth/token', 'post')).toEqual([{ credential: [] }]);
  expect(everything!.paths['/all.json']!['get']!.responses['403']!.description).toBe(
    'The credential has no permission read.',
  );
  expect(everything!.security).toEqual([{ credential: [] }]);
  expect(mcp!.security).toEqual([]);
  expect(everything!.info.description).toContain('Every request needs a credential.');
  expect(mcp!.info.description).toContain('Only /mcp and /api/auth/token need a credential.');
  expect(mcp!.paths['/mcp']!['post']).toMatchObject({ security: [{ credential: ['mcp'] }] });
  const { description, content } = mcp!.paths['/mcp']!['post']!.responses['403']!;
  expect(description).toBe(
    'The credential has no permission mcp. Or: Host or Origin is not allowed. The message names the expected value.',
  );
  expect(Object.keys(content)).toEqual(['application/problem+json', 'application/json']);
  const makeToken = mcp!.paths['/api/auth/token']!['post']!;
  expect(makeToken.responses['403']!.description).toMatch(/^A permission is unknown, or/);
});

test.each(['check', 'build'])('%s rejects a private index that has no readers', async (verb) => {
  const root = rootWith({ protect: 'everything', users, accessKeys: { enabled: false } });

  const { status, stderr } = await runHere([verb, '--root', root]);

  expect(status).toBe(1);
  expect(stderr).toContain(
    'error: site/access.json: accessKeys.enabled: without keys and issuers the index has no readers',
  );
  expect(filesIn(join(root, 'dist'))).toEqual({});
});

test('settings with invalid access rules are never those of a public index', () => {
  const root = openRoot(rootWith({ protect: 'everyone' }), checkout);

  expect(() => readSettings(root, '2026-11-20')).toThrow('site/access.json: protect');
});

test('the inputs of a build include the access rules', () => {
  const [mcp, everything] = ['mcp', 'everything'].map((protect) =>
    readJsonIn<{ inputs: string }>(siteWith({ protect, users }), 'status.json'),
  );

  expect(mcp!.inputs).not.toBe(everything!.inputs);
});

/** The request that a command of the page, with the key `secret`, sends to a server of this computer. */
async function authorizationSentBy(command: string): Promise<string | undefined> {
  let authorization: string | undefined;
  const upstream = await startUpstream(() => ({ headers }, response) => {
    ({ authorization } = headers);
    response.end('[]');
  });
  onTestFinished(() => upstream.close());
  expect(
    await runCopied(command, upstream.url, { env: { RELEASE_INDEX_KEY: 'secret' } }),
  ).toMatchObject({
    status: 0,
  });
  return authorization;
}
