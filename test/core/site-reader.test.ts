import { expect, test } from 'vitest';
import { openSite } from '../../src/core/site-reader.ts';
import { listen } from '../harness/listen.ts';

test('the site reader follows at most five redirects, and reads at most 64 MiB of a file', async () => {
  const part = Buffer.alloc(2 ** 20);
  const site = await listen((request, response) => {
    const [, name, count] = /\/(\w+)-(\d+)/.exec(request.url!)!;
    const left = Number(count);
    if (name === 'hop' && left > 0) {
      response.writeHead(302, { location: `/hop-${left - 1}` }).end();
      return;
    }
    for (let sent = 0; sent < left; sent += 1) {
      response.write(part);
    }
    response.end('x');
  });
  const read = (path: string) => openSite(site).read(path);

  expect((await read('hop-5'))?.toString()).toBe('x');
  expect((await read('mega-2'))?.length).toBe(2 * 2 ** 20 + 1);
  await expect(read('hop-6')).rejects.toThrow('cannot be read: it redirects more than 5 times');
  await expect(read('mega-64')).rejects.toThrow('cannot be read: it is bigger than 64 MiB');
});
