import { expect, onTestFinished, test } from 'vitest';
import { serveFolder } from '../../../src/deliver/host/static-server.ts';
import { temporaryFolder, writeIn } from '../../harness/root.ts';

test('a path that no file system accepts is absent', { timeout: 20_000 }, async () => {
  const folder = temporaryFolder();
  writeIn(folder, '404.html', 'absent');
  const server = await serveFolder(folder);
  onTestFinished(() => server.close());

  for (const path of ['a'.repeat(5000), 'x/'.repeat(4000)]) {
    const answer = await fetch(`${server.url}/${path}`);
    expect([answer.status, await answer.text()]).toEqual([404, 'absent']);
  }
});
