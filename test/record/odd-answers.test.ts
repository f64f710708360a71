import { createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { readSettings, requireDefinitions } from '../../src/core/read-folder.ts';
import { listen } from '../harness/listen.ts';
import { openOperatedIndex } from '../harness/operated-index.ts';

const head = (status: string, ...headers: string[]) =>
  [`HTTP/1.1 ${status}`, 'Connection: close', ...headers, '', ''].join('\r\n');
const redirect = (location: string) => head('302 Found', `Location: ${location}`);
const answer = (body: string | Buffer, ...headers: string[]) =>
  Buffer.concat([
    Buffer.from(head('200 OK', 'Content-Type: application/json', ...headers)),
    Buffer.from(body),
  ]);
const releases = (...values: unknown[]) => answer(JSON.stringify({ releases: values }));

/** What a server sends, to the byte. */
const oddAnswers: Record<string, string | Buffer> = {
  'a redirect to a file': redirect('file:///etc/passwd'),
  'to data': redirect('data:application/json,{}'),
  'with a credential': redirect('http://jane:secret@127.0.0.1/'),
  'to no address': redirect('http://'),
  'to a port that there is not': redirect('http://127.0.0.1:99999/'),
  'to itself': redirect('?'),
  'to nowhere': head('302 Found'),
  'to an empty place': redirect(''),
  'to a long address': redirect(`/${'a'.repeat(10_000)}`),
  'of many choices': head('300 Multiple Choices'),
  'not modified, unasked': head('304 Not Modified'),
  'no content': head('204 No Content'),
  'a part': head('206 Partial Content', 'Content-Range: bytes 0-1/2'),
  'a code without a name': head('299 '),
  'a code above all': head('999 No'),
  'a wait without end': head('429 Too Many', 'Retry-After: 999999999999999999999'),
  'a wait until then': head('429 Too Many', 'Retry-After: tomorrow'),
  'a length below zero': answer('{}', 'Content-Length: -1'),
  'two lengths': answer('{}', 'Content-Length: 2', 'Content-Length: 3'),
  'a pack that is none': answer('{}', 'Content-Encoding: gzip'),
  'a pack of nobody': answer('{}', 'Content-Encoding: sdch'),
  'an entity tag over two lines': answer('[]', 'ETag: "a\r\n b"'),
  'a day that there is not': answer('[]', 'Date: Foo, 99 Bar 9999 99:99:99 GMT'),
  'an empty document': answer(''),
  null: answer('null'),
  'a text': answer('"1.0"'),
  'a deep document': answer('['.repeat(200_000)),
  'another encoding': answer(Buffer.from('\uFEFF{"releases":[]}', 'utf16le')),
  'no Unicode': answer(Buffer.from([0x22, 0xff, 0xfe, 0x22])),
  'a prototype': answer('{"__proto__":{"releases":[{"version":"1.0"}]}}'),
  'half a character': releases({ version: '9.0', changelogUrl: 'https://example.com/\uD800' }),
  'values of other types': releases({ version: 9.5 }, { version: null }, { version: {} }, 1, null),
  'a version without end': releases({ version: '9'.repeat(100_000) }),
  'a day without end': releases({ version: '9.1', releaseTimestamp: '9'.repeat(100_000) }),
  'a day before all': releases({ version: '9.2', releaseTimestamp: '-000001-01-01T00:00:00Z' }),
  'a link to itself': releases({ version: '9.3', changelogUrl: 'javascript:alert(1)' }),
};

test('no answer costs another source its news, or ends a run', async () => {
  // Nobody waits before an attempt is repeated.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  onTestFinished(() => void vi.restoreAllMocks());
  const index = await openOperatedIndex();
  const start = '2026-03-01';
  const list = (count: number) =>
    Array.from({ length: count }, (_, patch) => ({ version: `1.0.${patch}` }));
  const sound = releases(...list(3));
  let isOdd = false;
  const components = await Promise.all(
    Object.entries(oddAnswers).map(async ([title, bytes], number) => {
      const name = `odd-${number}`;
      const url = await listen(
        createServer((socket) => {
          socket.on('error', () => undefined);
          socket.once('data', () => socket.end(isOdd ? bytes : sound));
        }),
      );
      const urls = [`${index.url}/first.json`, `${url}/list.json`, `${index.url}/last.json`];
      index.define(name, [], {
        title,
        sources: urls.map((each) => ({ datasource: 'json', url: each })),
      });
      return { name, title };
    }),
  );
  index.answers.set('first', list(3));
  index.answers.set('last', list(3));
  expect((await index.record(start)).status).toBe(0);

  isOdd = true;
  index.answers.set('first', list(5));
  index.answers.set('last', [...list(3), { version: '2.0.0' }]);
  const { status, stdout, stderr } = await index.run('gather', addDays(start, 1));

  expect([status, `${stdout}${stderr}`]).toEqual([0, expect.not.stringMatching(/^\s+at /m)]);
  for (const { name, title } of components) {
    const { releases: recorded } = index.data.readRecorded(name);
    const versions = recorded.map(({ version }) => version);
    const news = ['1.0.0', '1.0.1', '1.0.2', '1.0.3', '1.0.4', '2.0.0'];
    expect(versions, title).toEqual(expect.arrayContaining(news));
  }
});

test('a bug costs the component that it meets its news, and no other', async () => {
  const index = await openOperatedIndex();
  index.define('good', [{ version: '1.0' }]);
  index.define('bad', [{ version: '1.0' }]);
  expect(await index.record('2026-03-01')).toMatchObject({ status: 0 });
  const former = index.data.readFreshness()['bad'];

  for (const name of ['good', 'bad']) {
    index.answers.set(name, [{ version: '1.0' }, { version: '1.1' }]);
  }
  const definitions = requireDefinitions(index.root, readSettings(index.root));
  // No schema admits it.
  Object.assign(definitions.get('bad')!, { deprecated: [{ versions: {} }] });
  const { status, stderr } = await index.record('2026-03-02', { definitions });

  expect([status, stderr]).toEqual([
    70,
    expect.stringMatching(
      /^error: bad: a bug in this program stopped its update\. Its recorded data stays\. /m,
    ),
  ]);
  const list = (name: string) => [
    index.data.readRecorded(name).releases.map(({ version }) => version),
    index.data.readJournal(name).map(({ version }) => version),
  ];
  expect(list('good')).toEqual([
    ['1.0', '1.1'],
    ['1.0', '1.1'],
  ]);
  expect(list('bad')).toEqual([['1.0'], ['1.0']]);
  expect(index.data.readFreshness()['bad']).toEqual(former);
});
