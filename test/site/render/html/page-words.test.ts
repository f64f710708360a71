import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkout, fixtureIndex } from '../../../harness/checkout.ts';
import { addComponent, createRoot } from '../../../harness/root.ts';
import { makeSecretKey, publicKeyOf } from '../../../harness/signing-key.ts';
import { recordOn, siteOf, siteOfFixtureIndex } from '../../../harness/site.ts';

const day = '2026-11-20';

/** What people read on a page, hear of it, or copy, a line for each block. */
function readWords(html: string): string[] {
  return (
    html
      .replaceAll(/<(script|style)\b.*?<\/\1>/gs, '')
      .replaceAll(/<meta name="description" content="([^"]*)">/g, '\n$1\n')
      .replaceAll(/ (?:aria-label|placeholder)="([^"]*)"(?=[^<>]*>)/g, '>\n[$1]\n<')
      .replaceAll(/<\/?(?:a|b|bdi|code|small|span|strong|svg|path|rect|text|time)\b[^>]*>/g, '')
      .replaceAll(/\s*(?:<[^>]*>\s*)+/g, '\n')
      // The key of the site is another in each run.
      .replaceAll(/\bRW[\w+/]{54}/g, 'KEY')
      // A sign that turns the direction of a text is for no editor.
      .replaceAll('\u202E', '')
      .replaceAll(/[^\S\n]+/g, ' ')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !/tool-\d/.test(line))
  );
}

const readPage = (out: string, page: string) =>
  readWords(readFileSync(join(out, `${page}.html`), 'utf8'));

const releases = (...versions: readonly string[]) =>
  versions.map((version, index) => ({
    version,
    releaseTimestamp: `2026-0${index + 1}-10`,
    timestampKind: 'published',
  }));

/** A private index with all that a page can say of a component. */
async function buildPrivateSite(): Promise<string> {
  const root = createRoot({
    hosting: 'cloudflare',
    signingPublicKey: publicKeyOf(makeSecretKey()),
  });
  root.write('site/access.json', {
    protect: 'everything',
    users: [{ username: 'jane', email: 'jane@example.com' }],
    externalOauth: {
      issuers: [
        {
          uri: 'https://login.example.com/',
          accessTokenFormat: 'opaque',
          restrictByDomain: false,
        },
      ],
    },
  });
  addComponent(root, 'server', releases('1.0', '1.1', '2.0', '3.0', '3.1', '4.0'), {
    support: {
      policy: 'term',
      line: 1,
      phases: [
        { name: 'full', months: 6 },
        { name: 'security', months: 12 },
        { name: 'extended', months: 18, paid: true },
      ],
    },
    upgradeStops: [
      { at: '2.0', reason: 'It migrates the database', url: 'https://example.com/2.0' },
      '3.0',
    ],
    deprecated: [
      ...['1.0', '1.1', '2.0', '3.0'].map((version) => ({
        versions: [version],
        reason: 'It loses data',
        since: '2026-12-31',
      })),
    ],
    advisories: Array.from({ length: 7 }, (_, index) => ({
      id: `CVE-2026-000${index}`,
      affected: '<2.0',
      summary: 'A bug',
    })),
    worksWith: {
      agent: [
        { versions: '3 || 4', from: '1.1', testedTo: '2.0', url: 'https://example.com/works' },
        { versions: '1', before: '1.1', reason: 'The protocol changed' },
      ],
      former: [{ versions: '1', from: '1.0' }],
    },
  });
  addComponent(root, 'agent', releases('1.0', '1.1', '2.0', '2.1', '3.0'));
  addComponent(root, 'empty', [], { sources: [{ datasource: 'npm', packageName: 'empty' }] });
  addComponent(root, 'former', releases('1.0'), {
    replacedBy: 'agent',
    support: { policy: 'ended', until: '2026-01-31' },
  });
  await recordOn(root.dir, '2026-11-18');
  const observed = { version: '4.0', releaseTimestamp: '2026-06-10', timestampKind: 'observed' };
  addComponent(root, 'agent', [...releases('1.0', '1.1', '2.0', '2.1', '3.0'), observed], {
    renamedFrom: ['agent-of-old'],
    support: { policy: 'latest-lines', count: 1, line: 1 },
  });
  await recordOn(root.dir, '2026-11-19');
  return siteOf(root.dir, day);
}

/** On a host of files, a component whose releases have no days. */
function buildStaticSite(): string {
  const root = createRoot({ hosting: 'files', signingPublicKey: publicKeyOf(makeSecretKey()) });
  root.write('site/statements/server.ndjson', '');
  root.write('data/freshness/server.json', { sources: { 'npm:server': { since: day } } });
  addComponent(root, 'server', [{ version: '1.0' }, { version: '1.1' }], {
    support: {
      policy: 'dated',
      lines: { '0.9': '2026-01-31', '1.0': '2027-06-30', '2.0': '2027-12-31' },
    },
    sources: [{ datasource: 'npm', packageName: 'server' }],
  });
  return siteOf(root.dir, day);
}

/** What is rare: releases without days, ends that nobody states or knows exactly, lines that end together. */
async function buildRareSite(): Promise<string> {
  const root = createRoot({ hosting: 'files' });
  const undated = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ version: `1.${index}` }));
  const source = { datasource: 'endoflife-date', product: 'x' };

  addComponent(root, 'undated', undated(330));
  addComponent(root, 'mixed', [...undated(2), ...releases('2.0')]);
  addComponent(root, 'broken', releases('1.0', '1.1'), {
    deprecated: [{ versions: '*', reason: 'It loses data' }],
  });
  addComponent(
    root,
    'observed',
    [
      {
        ...{ version: '1.0', releaseTimestamp: '2026-10-10', timestampKind: 'observed' },
        notListedOn: '2026-10-01',
      },
    ],
    { support: { policy: 'term', months: 18 } },
  );
  addComponent(root, 'open', releases('1.0'), { support: { policy: 'stated', source } });
  root.write('data/open.json', {
    releases: releases('1.0'),
    lines: [{ line: '1.0', source: 'support endoflife-date:x', phases: [{ name: 'support' }] }],
  });
  addComponent(root, 'together', releases('1.0', '1.1', '1.2', '1.3'), {
    support: {
      policy: 'dated',
      lines: Object.fromEntries(['1.0', '1.1', '1.2', '1.3'].map((line) => [line, '2027-06-30'])),
    },
  });
  addComponent(root, 'extra', releases('1.0'), {
    worksWith: { together: [{ versions: '1', from: '1.0' }] },
  });
  addComponent(root, 'plug', releases('2.0'), {
    worksWith: { together: [{ versions: '2', from: '1.2' }] },
  });
  await recordOn(root.dir, day);
  return siteOf(root.dir, day);
}

/** Without a component, and with tools that need a credential. */
function buildEmptySite(): string {
  const root = createRoot({ hosting: 'cloudflare' });
  const users = [{ username: 'jane', email: 'jane@example.com' }];
  root.write('site/access.json', { protect: 'mcp', users });
  return siteOf(root.dir, day);
}

const mostAtOnce = 100;

/** With more components than one table has, and more ends than one picture. */
function buildLargeSite(): string {
  const root = createRoot({ hosting: 'cloudflare' });
  for (let index = 0; index <= mostAtOnce; index += 1) {
    addComponent(root, `tool-${index}`, releases('1.0'), {
      support: { policy: 'dated', lines: { '1.0': `2027-0${1 + (index % 9)}-15` } },
    });
  }
  return siteOf(root.dir, day);
}

test.each([
  {
    site: 'public',
    build: () => siteOf(fixtureIndex),
    pages: [
      ...['404', 'api', 'changes', 'index', 'mine', 'status', 'use'],
      ...['build-agent', 'build-cache-node', 'dashboard-bundle', 'svc'],
    ],
  },
  {
    site: 'private',
    build: buildPrivateSite,
    pages: [
      ...['api', 'index', 'status', 'use'],
      ...['agent', 'agent-of-old', 'empty', 'former', 'server'],
    ],
  },
  { site: 'static', build: buildStaticSite, pages: ['api', 'index', 'status', 'use', 'server'] },
  {
    site: 'rare',
    build: buildRareSite,
    pages: ['index', 'broken', 'mixed', 'observed', 'open', 'together', 'undated'],
  },
  { site: 'empty', build: buildEmptySite, pages: ['changes', 'index', 'status', 'use'] },
  { site: 'large', build: buildLargeSite, pages: ['index'] },
])('people read these words on the pages of the $site site', async ({ site, build, pages }) => {
  const out = await build();

  for (const page of pages) {
    const lines = readPage(out, page);
    const words = site === 'public' ? lines : listOtherWords(lines, page);
    const file = join(checkout, 'test/fixtures/pages', site, `${page}.txt`);
    await expect(`${words.join('\n')}\n`).toMatchFileSnapshot(file);
  }
});

/** The lines that the public page most like this one does not have, each once. */
function listOtherWords(lines: readonly string[], page: string): readonly string[] {
  const out = siteOfFixtureIndex();
  const common = readPage(out, existsSync(join(out, `${page}.html`)) ? page : 'svc');

  return lines.filter((line, index) => !common.includes(line) && lines.indexOf(line) === index);
}
