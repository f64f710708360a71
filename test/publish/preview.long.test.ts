import { expect, test } from 'vitest';
import { createIndex, openIndex } from '../harness/index-folder.ts';
import { expectHeaders, startPreview } from './preview.ts';

test('at Cloudflare, preview serves files, doors and keys in the runtime of the host', async () => {
  const index = createIndex();
  index.write('site/access.json', { users: [{ username: 'anna' }] });
  await index.run('build');
  const words = ['new', '--user', 'anna', '--expires', '2999-01-31'];
  const { stdout: key } = await openIndex(index.root, { CI: '' }).run('key', ...words);
  const origin = await startPreview(index.root);

  await expectHeaders(origin, index.out, false);
  const ask = (path: string, headers: Record<string, string>) =>
    fetch(`${origin}/${path}`, { headers }).then(({ status }) => status);
  const authorization = `Bearer ${key.trim()}`;
  expect(await ask('api/components/svc', {})).toBe(401);
  expect(await ask('api/components/svc', { authorization })).toBe(200);
  expect(await ask('_headers', {})).toBe(404);
  expect(await ask('svc.json', { origin: 'https://example.com' })).toBe(403);
});
