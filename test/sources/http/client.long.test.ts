import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createTestHttp } from '../../harness/ask-source.ts';
import { reply, startUpstream } from '../../harness/upstream.ts';

test('the client accepts a JSON document of 64 MB', async () => {
  const body = Buffer.alloc(2 ** 26, '"1.0.100":"2026-01-31T12:00",');
  const packed = reply(200, { 'content-encoding': 'gzip' }, gzipSync(body, { level: 1 }));
  const { url } = await startUpstream(() => packed);
  const http = createTestHttp();
  onTestFinished(() => http.close());

  expect((await http.fetch({ url })).text()).toHaveLength(2 ** 26);
});
