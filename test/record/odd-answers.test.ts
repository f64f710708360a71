import { createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { readSettings, requireDefinitions } from '../../src/core/read-definitions.ts';
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

/** The exact bytes that the server sends in each case. */
const oddAnswers: Record<string, string | Buffer> = {
  'a redirect to a file': redirect('file:///etc/passwd'),
  'a redirect to a data URL': redirect('data:application/json,{}'),
  'a redirect with a credential': redirect('http://jane:secret@127.0.0.1/'),
  'a redirect to an address without a host': redirect('http://'),
  'a redirect to an impossible port': redirect('http://127.0.0.1:99999/'),
  'a redirect to itself': redirect('?'),
  'a redirect without a location': head('302 Found'),
  'a redirect with an empty location': redirect(''),
  'a redirect to a very long address': redirect(`/${'a'.repeat(10_000)}`),
  '300 Multiple Choices': head('300 Multiple Choices'),
  '304 to an unconditional request': head('304 Not Modified'),
  '204 No Content': head('204 No Content'),
  '206 Partial Content': head('206 Partial Content', 'Content-Range: bytes 0-1/2'),
  'an unknown status without a reason': head('299 '),
  'status 999': head('999 No'),
  'an enormous Retry-After': head('429 Too Many', 'Retry-After: 999999999999999999999'),
  'a Retry-After that is not a date': head('429 Too Many', 'Retry-After: tomorrow'),
  'a negative Content-Length': answer('{}', 'Content-Length: -1'),
  'two Content-Length headers': answer('{}', 'Content-Length: 2', 'Content-Length: 3'),
  'plain text declared as gzip': answer('{}', 'Content-Encoding: gzip'),
  'an unsupported Content-Encoding': answer('{}', 'Content-Encoding: sdch'),
  'an ETag with a line break': answer('[]', 'ETag: "a\r\n b"'),
  'an impossible Date header': answer('[]', 'Date: Foo, 99 Bar 9999 99:99:99 GMT'),
  'an empty document': answer(''),
  null: answer('null'),
  'a JSON string': answer('"1.0"'),
  '200,000 nested arrays': answer('['.repeat(200_000)),
  'JSON in UTF-16': answer(Buffer.from('\uFEFF{"releases":[]}', 'utf16le')),
  'invalid UTF-8': answer(Buffer.from([0x22, 0xff, 0xfe, 0x22])),
  'a __proto__ key': answer('{"__proto__":{"releases":[{"version":"1.0"}]}}'),
  'a lone surrogate in a link': releases({
    version: '9.0',
    changelogUrl: 'https://example.com/\uD800',
  }),
  'values of other types': releases({ version: 9.5 }, { version: null }, { version: {} }, 1, null),
  'a version of 100,000 digits': releases({ version: '9'.repeat(100_000) }),
  'a date of 100,000 digits': releases({ version: '9.1', releaseTimestamp: '9'.repeat(100_000) }),
  'a date before year 0': releases({ version: '9.2', releaseTimestamp: '-000001-01-01T00:00:00Z' }),
  'a javascript: link': releases({ version: '9.3', changelogUrl: 'javascript:alert(1)' }),
};

test('a run records the new releases of other sources even if one source sends a malformed or unusual answer', async () => {
  // With this random value, requests are retried without a delay.
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

test('gather names the component that an exception stopped, and updates the others', async () => {
  const index = await openOperatedIndex();
  index.define('good', [{ version: '1.0' }]);
  index.define('bad', [{ version: '1.0' }]);
  const definitions = requireDefinitions(index.root, readSettings(index.root));
  // The schema would reject this value, so it is set after the definition was checked. The code that uses it then throws.
  Object.assign(definitions.get('bad')!.sources[0]!, { allowedVersions: {} });
  const { status, stderr } = await index.gather('2026-03-01', { definitions });

  expect([status, stderr]).toEqual([
    70,
    expect.stringMatching(/^error: bad: a bug in this program stopped its update\. /m),
  ]);
  expect(index.data.readRecorded('good').releases).toHaveLength(1);
});

test('an exception while reading one component stops only the update of that component', async () => {
  const index = await openOperatedIndex();
  index.define('good', [{ version: '1.0' }]);
  index.define('bad', [{ version: '1.0' }]);
  expect(await index.record('2026-03-01')).toMatchObject({ status: 0 });
  const former = index.data.readFreshness()['bad'];

  for (const name of ['good', 'bad']) {
    index.answers.set(name, [{ version: '1.0' }, { version: '1.1' }]);
  }
  const definitions = requireDefinitions(index.root, readSettings(index.root));
  // The schema would reject this value, so it is set after the definition was checked. The code that uses it then throws.
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
