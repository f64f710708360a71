import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import type { Http, HttpRequest, HttpResponse } from '../../src/sources/http/client.ts';
import { SourceError } from '../../src/sources/http/failures.ts';
import {
  anyTime,
  fetchPages,
  findNextLink,
  joinUrl,
  parseXml,
  parseYaml,
  pickTexts,
  readJson,
  readList,
  resolveAtHost,
} from '../../src/sources/requests.ts';
import { createTestHttp } from '../harness/ask-source.ts';
import { json, serve, startUpstream, type Documents } from '../harness/upstream.ts';

const url = 'https://a.example/list';

/** Returns an answer with this text. */
function answer(text: string, headers: Record<string, string> = {}): HttpResponse {
  return {
    url,
    from: 'https://a.example/first',
    headers: new Headers(headers),
    isKept: false,
    forget: () => {},
    bytes: () => Buffer.from(text),
    text: () => text,
  };
}

test('texts about a package are picked, and values of other types are ignored', () => {
  const document = { name: ' Agent ', description: 7, html_url: 'https://a.example', other: 'x' };

  expect(pickTexts(document, { repository: 'html_url' })).toEqual({
    ...{ title: 'Agent', description: undefined },
    repository: 'https://a.example',
  });
  expect(pickTexts(null)).toEqual({ title: undefined, description: undefined });
});

test.each([
  ['', undefined],
  [null, undefined],
  [0, undefined],
  [1_700_000_000, '1700000000'],
  ['2026-01-01', '2026-01-01'],
])('the time %j is read as %j', (value, expected) => {
  expect(anyTime.parse(value)).toBe(expected);
});

test('an error about a document names its address and the first problem', () => {
  const schema = z.object({ version: z.string() });

  expect(() => readJson(answer('{"version": 1}'), schema)).toThrow(
    'https://a.example/list: version: expected a text; got 1',
  );
  expect(() => readJson(answer('{'), schema)).toThrow(
    /^https:\/\/a\.example\/list cannot be read as JSON: /,
  );
});

test('values of YAML stay texts', () => {
  expect(parseYaml(answer('version: 1.10\nisOld: true'))).toEqual({
    version: '1.10',
    isOld: 'true',
  });
});

test.each(['a: &x 1\nb: *x', `${'['.repeat(60)}${']'.repeat(60)}`, 'a: [', '\u0000'])(
  'the YAML %j is rejected',
  (text) => {
    expect(() => parseYaml(answer(text))).toThrow(SourceError);
  },
);

test('values of XML stay texts, and an element may always be a list', () => {
  const text = '<?xml version="1.0"?><a><b><c>1.10</c></b></a>';

  expect(parseXml(answer(text))).toEqual({ a: { b: { c: '1.10' } } });
  expect(parseXml(answer(text), 'a.b.c')).toEqual({ a: { b: { c: ['1.10'] } } });
});

test.each(['<!doctype a [<!ENTITY x "y">]><a/>', '<a>', '<a></b>'])(
  'the XML %j is rejected',
  (text) => {
    expect(() => parseXml(answer(text))).toThrow(/cannot be read as XML: /);
  },
);

test.each([
  ['https://a.example', ['npm', '@acme/agent'], '', 'https://a.example/npm/@acme%2fagent'],
  ['https://a.example/base/', ['a b', 'c:d'], 'x=1', 'https://a.example/base/a%20b/c:d?x=1'],
  ['https://a.example/base?old=1', ['a?b#c'], '', 'https://a.example/base/a%3Fb%23c'],
  ['https://a.example', ['..a', '...'], '', 'https://a.example/..a/...'],
])('below %s, the segments %j with the query "%s" are %s', (base, segments, query, expected) => {
  expect(joinUrl(base, segments, query)).toBe(expected);
});

test.each([[['']], [['.']], [['a', '..']], [['\uD800']]])(
  'the segments %j are rejected',
  (segments) => {
    expect(() => joinUrl('https://a.example', segments)).toThrow(' is not a path below it');
  },
);

test.each([
  [undefined, undefined],
  ['<https://a.example/list?page=1>; rel="prev"', undefined],
  ['<?page=2>; rel="next"', 'https://a.example/list?page=2'],
  ['<https://a.example/list?page=2>; rel="next", <x>; rel="last"', 'https://a.example/list?page=2'],
])('the header Link %j leads to %s', (link, expected) => {
  const next = findNextLink(answer('', link === undefined ? {} : { link }));

  expect(next).toEqual(expected && { url: expected, from: 'https://a.example/first' });
});

test('a header Link is rejected if it is too long, or leads to another host', () => {
  const ofLength = (length: number) =>
    answer('', { link: `<${'a'.repeat(length - 14)}>; rel="next"` });

  expect(findNextLink(ofLength(8192))?.url).toMatch(/a{1000}$/);
  expect(() => findNextLink(ofLength(8193))).toThrow(
    'has a header Link of more than 8,192 characters',
  );
  for (const address of ['https://b.example/', 'http://a.example/', 'https://a.example:8443/']) {
    expect(() => resolveAtHost(answer(''), address)).toThrow(
      'expected the address of the next document at the same host; got ',
    );
  }
});

/** Reads all pages of a list that an upstream serves. */
async function readPages(documents: Documents) {
  const upstream = await startUpstream(() => serve(documents));
  const http = createTestHttp();
  onTestFinished(() => http.close());
  const read = fetchPages(http, { url: `${upstream.url}list` }, z.array(z.int()));
  return { read, upstream };
}

const page = (values: number[], next?: string) => ({
  ...json(values),
  headers: next === undefined ? {} : { link: `<${next}>; rel="next"` },
});

test('all pages are read in their order', async () => {
  const { read } = await readPages({
    '/list': page([1], '/list?page=2'),
    '/list?page=2': page([2, 3], '/list?page=3'),
    '/list?page=3': page([]),
  });

  expect(await read).toEqual([[1], [2, 3], []]);
});

test('a list fails if one of its pages fails', async () => {
  const { read } = await readPages({ '/list': page([1], '/list?page=2') });

  await expect(read).rejects.toThrow('answered 404');
});

/** Reads a list of `count` pages that all have this text. No server sends the pages, because they are many or large. */
function readSame(text: string, count = Infinity) {
  const asked: string[] = [];
  const fetch = (request: HttpRequest) => {
    asked.push(request.url);
    const isLast = asked.length === count;
    return Promise.resolve(answer(text, isLast ? {} : { link: `<${url}>; rel="next"` }));
  };
  return { asked, read: fetchPages({ fetch } as Http, { url }, z.unknown()) };
}

test('a list may have 500 pages, but not more', async () => {
  const whole = readSame('[1]', 500);
  const endless = readSame('[1]');

  expect(await whole.read).toHaveLength(500);
  await expect(endless.read).rejects.toThrow('its list goes on after 500 pages');
  expect(endless.asked).toHaveLength(500);
});

test('a list fails if its pages have more than 4,000,000 values in total', async () => {
  const { asked, read } = readSame(`[${'0,'.repeat(1_499_999)}0]`);

  await expect(read).rejects.toThrow(`${url} lists more than 4,000,000 values`);
  expect(asked).toHaveLength(3);
});

/** Reads two lists of a host. Returns how many requests it got before the first list ended, and after it. */
async function countRequests(isSpared: boolean): Promise<[before: number, after: number]> {
  const upstream = await startUpstream(() => serve({ '/a': json([]), '/b': json([]) }));
  const http = createTestHttp();
  onTestFinished(() => http.close());
  if (isSpared) {
    http.spare(new URL(upstream.url).host);
  }
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const first = readList(http, false, async (client) => {
    await client.fetch({ url: `${upstream.url}a` });
    await ended;
  });
  const second = readList(http, false, (client) => client.fetch({ url: `${upstream.url}b` }));
  // Another host answers last, so the requests that may begin have begun.
  const other = await startUpstream(() => serve({ '/': json([]) }));
  await expect.poll(() => upstream.requests.length).toBeGreaterThan(0);
  await http.fetch({ url: other.url });
  if (!isSpared) {
    await second;
  }

  const before = upstream.requests.length;
  end();
  await Promise.all([first, second]);
  return [before, upstream.requests.length];
}

test.each([
  [true, [1, 2]],
  [false, [2, 2]],
])('lists of a host are read one by one if its rate limit is low: %s', async (isSpared, counts) => {
  expect(await countRequests(isSpared)).toEqual(counts);
});
