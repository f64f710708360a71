import { expect, test } from 'vitest';
import { listFiles } from '../../src/core/files.ts';
import { createIndex, openIndex } from '../harness/index-folder.ts';
import { startPreview } from './preview.ts';

test('at Cloudflare, preview serves files, doors and keys in the runtime of the host', async () => {
  const index = createIndex();
  index.write('site/access.json', { users: [{ username: 'anna' }] });
  await index.run('build');
  const words = ['new', '--user', 'anna', '--expires', '2999-01-31'];
  const { stdout: key } = await openIndex(index.root, { CI: '' }).run('key', ...words);
  const origin = await startPreview(index.root);

  for (const path of ['', ...listFiles(index.out).map((file) => file.path)]) {
    const { status, headers } = await fetch(`${origin}/${path}`, { method: 'HEAD' });
    const isPage = path === '' || path.endsWith('.html');

    expect([path, status]).toEqual([path, path === '_headers' ? 404 : 200]);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe(status === 200 ? 'public, max-age=3600' : 'no-store');
    expect(headers.get('content-security-policy') ?? '').toMatch(
      isPage ? /^default-src 'none'; / : /^$/,
    );
  }

  const ask = (path: string, headers: Record<string, string>) =>
    fetch(`${origin}/${path}`, { headers }).then(({ status }) => status);
  const authorization = `Bearer ${key.trim()}`;
  expect(await ask('api/components/svc', {})).toBe(401);
  expect(await ask('api/components/svc', { authorization })).toBe(200);
  expect(await ask('svc.json', { origin: 'https://example.com' })).toBe(403);
});
