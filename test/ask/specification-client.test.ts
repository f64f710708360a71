import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { checkout } from '../harness/checkout.ts';
import { temporaryFolder } from '../harness/root.ts';
import { run } from '../harness/run.ts';
import { siteOfFixtureIndex } from '../harness/site.ts';
import { serveSite, type ServedSite } from '../harness/worker.ts';
import { accessTo } from './access/private-index.ts';
import { covers } from '../harness/covers.ts';

/*
 * A client that is written from the specification only: nothing below this comment, up to the next one, knows this project.
 * The numbers are those of .github/SPECIFICATION.md.
 */

interface Release {
  readonly version: string;
  readonly releaseTimestamp?: string;
  readonly changelogUrl?: string;
  readonly isDeprecated: boolean;
}

const ask = (address: string, path: string, method = 'GET') => fetch(new URL(path, address), { method });
const json = async <Value>(address: string, path: string) =>
  (await (await ask(address, path)).json()) as Value;

/* The indexes that it asks: a private one, and the same as a public one. */

let site: ServedSite;
let open: ServedSite;

beforeAll(async () => {
  const out = siteOfFixtureIndex();
  site = await serveSite(out, undefined, {}, accessTo('everything'));
  open = await serveSite(out);
});

afterAll(() => Promise.all([site?.close(), open?.close()]));

test('a client of the specification reads the three kinds of files of an index without a credential', async () => {
  covers(14, 75, 76, 77, 78, 79, 80, 81, 82, 161, 193, 222);
  // The real index of this repository.
  const out = temporaryFolder();
  expect((await run(['build', '--root', checkout, '--out', out])).status).toBe(0);
  const example = await serveSite(out);
  onTestFinished(() => example.close());
  const { url } = example;
  const names = await json<string[]>(url, '/index.json');
  const all = await json<{ components: Record<string, unknown> }>(url, '/all.json');
  const dated = (releases: Release[]) =>
    releases.flatMap(({ version, releaseTimestamp }) => (releaseTimestamp === undefined ? [] : version));

  expect(names.length).toBeGreaterThan(0);
  expect(Object.keys(all.components)).toEqual(names);
  for (const name of names) {
    const answer = await ask(url, `/${name}.json`);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
    const file = (await answer.json()) as { homepage: string; changelogUrl: string; releases: Release[] };
    const known = await json<{ releases: Release[] }>(url, `/details/${name}.json`);
    expect(all.components[name]).toEqual(file);
    expect([file.homepage, file.changelogUrl].every((url) => url.startsWith('https:'))).toBe(true);
    expect(dated(file.releases)).toEqual(dated(known.releases));
    for (const release of file.releases) {
      expect([typeof release.version, typeof release.isDeprecated]).toEqual(['string', 'boolean']);
      const { releaseTimestamp = '2000-01-01T00:00:00Z', changelogUrl = 'https:' } = release;
      expect(releaseTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
      expect(changelogUrl).toMatch(/^https:/);
    }
  }
});

test('a client of the specification finds the authorization servers through the metadata', async () => {
  covers(34, 180, 198);
  const refused = await ask(site.url, '/mcp', 'POST');
  const challenge = refused.headers.get('www-authenticate')!;
  const metadata = '/.well-known/oauth-protected-resource/mcp';

  expect(refused.status).toBe(401);
  expect(challenge).toMatch(/Bearer realm="mcp", resource_metadata="[^"]+"/);
  expect(challenge).not.toContain('error=');
  expect(await json(site.url, metadata)).toMatchObject({
    resource: 'https://releases.example.com/mcp',
    authorization_servers: [],
  });
  expect((await ask(site.url, '/build-export/v2/builds/since/0')).status).toBe(401);
});

test('a public index makes no tokens, and says why', async () => {
  const answer = await ask(open.url, '/api/auth/token', 'POST');

  expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('needs a token')]);
});
