import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { createIndex } from '../harness/index-folder.ts';
import { startNginx } from '../harness/nginx.ts';
import { lacks } from '../harness/programs.ts';
import { expectHeaders, startPreview } from './preview.ts';

const index = createIndex({ hosting: 'pages' });
index.write('program/release-index-1.0.0.tgz', 'a package');
for (const verb of ['build', 'sign']) {
  expect(await index.run(verb)).toMatchObject({ status: 0 });
}

test('preview serves every path with the headers of the contract', async () => {
  await expectHeaders(await startPreview(index.root), index.out);
});

test('preview refuses pages of another origin, and other names of this computer', async () => {
  const origin = await startPreview(index.root);
  const ask = async (headers: Record<string, string>) =>
    (await fetch(`${origin}/svc.json`, { headers })).status;

  expect(await ask({ origin })).toBe(200);
  expect(await ask({ origin: 'https://example.com' })).toBe(403);
  expect(await ask({ origin: 'http://127.0.0.1:1' })).toBe(403);
});

test.skipIf(lacks('nginx'))(
  'nginx serves every path with the headers of the contract',
  async () => {
    const settings = resolve(import.meta.dirname, '../../site/servers/nginx.conf');
    const origin = await startNginx(index.out, settings);

    await expectHeaders(origin, index.out);
    expect((await fetch(`${origin}/_headers`)).status).toBe(404);
  },
);
