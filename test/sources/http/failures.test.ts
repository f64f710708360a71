import { errors } from 'undici';
import { expect, test } from 'vitest';
import {
  createSourceError,
  explainNetworkError,
  explainStatus,
  Failure,
  isAbsent,
  showUrl,
  SourceError,
} from '../../../src/sources/http/failures.ts';

const url = new URL('https://api.example.com/releases');
const request = { url: String(url) };
const now = 'Fri, 20 Nov 2026 06:00:00 GMT';

test.each([
  ['https://jane:secret@api.example.com:8443/a?token=secret#x', 'https://api.example.com:8443/a'],
  ['site/own/svc.json', 'site/own/svc.json'],
  ['file:///etc/passwd', 'an address that is not a URL'],
  ['secret', 'an address that is not a URL'],
])('the address %s is shown as %s', (text, shown) => {
  expect(showUrl(text)).toBe(shown);
});

test.each([
  [404, true],
  [410, true],
  [403, false],
  [undefined, false],
])('the status %s says that a document does not exist: %s', (status, expected) => {
  expect(isAbsent(new SourceError('x', { status }))).toBe(expected);
  expect(isAbsent(Object.assign(new Error('x'), { status }))).toBe(false);
});

test('an error has its place, its problem and its cause', () => {
  const cause = new Error('x');
  const error = SourceError.at('https://a.example/b?c=d', 'is too large', cause);

  expect(error).toMatchObject({
    ...{ message: 'https://a.example/b is too large', problem: 'is too large' },
    ...{ host: 'a.example', isLimit: false, cause },
  });
  expect(new SourceError('x', { host: '' })).toMatchObject({ host: undefined, problem: 'x' });
});

test.each<[Failure, attempts: number, expected: object]>([
  [
    new Failure('answered 404', { status: 404 }),
    1,
    {
      ...{ message: 'GET https://api.example.com/releases answered 404', problem: 'answered 404' },
      ...{ status: 404, host: 'api.example.com', isLimit: false },
    },
  ],
  [
    new Failure('connection refused', { verb: 'failed', advice: 'Try later.', isLimit: true }),
    4,
    {
      message:
        'GET https://api.example.com/releases failed: connection refused (4 attempts). Try later.',
      ...{ problem: 'connection refused (4 attempts). Try later.', isLimit: true },
    },
  ],
  [
    Object.assign(new Failure('answered 500', { status: 500 }), { host: 'cdn.example.com' }),
    1,
    {
      message: 'GET https://api.example.com/releases (at cdn.example.com) answered 500',
      host: 'cdn.example.com',
    },
  ],
  [new Failure('x', { place: 'proxy.example.com' }), 1, { host: 'proxy.example.com' }],
])('the error of a request is described, case %#', (failure, attempts, expected) => {
  expect(createSourceError(failure, request, attempts)).toMatchObject({
    ...expected,
    cause: failure,
  });
});

test('the error of a request names its method', () => {
  const { message } = createSourceError(
    new Failure('answered 500'),
    { ...request, method: 'POST' },
    1,
  );

  expect(message).toBe('POST https://api.example.com/releases answered 500');
});

const spent =
  'The limit on requests is used up; a token in RELEASE_INDEX_AUTH_API_EXAMPLE_COM raises it.';

test.each<[status: number, headers: Record<string, string>, message: string, details: object]>([
  [404, {}, 'answered 404', { status: 404 }],
  [403, {}, 'answered 403', { status: 403 }],
  [408, {}, 'answered 408', { waitMs: 0, repeats: 3, isHostDown: false, isLimit: false }],
  [425, {}, 'answered 425', { repeats: 3, isHostDown: false }],
  [499, {}, 'answered 499', { status: 499 }],
  [500, {}, 'answered 500', { waitMs: 0, repeats: 3, isHostDown: false }],
  [503, { 'retry-after': '7' }, 'answered 503', { waitMs: 7000, repeats: 3, isHostDown: false }],
  [429, {}, 'answered 429', { repeats: 3, isHostDown: true, isLimit: true }],
  [
    429,
    { 'x-ratelimit-remaining': '0', 'retry-after': '60' },
    'answered 429',
    { waitMs: 60_000, advice: spent, isLimit: true },
  ],
  [403, { 'retry-after': '5' }, 'answered 403', { waitMs: 5000, advice: spent, isLimit: true }],
  [
    403,
    {
      date: now,
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Date.parse(now) / 1000 + 30),
    },
    'answered 403',
    { waitMs: 30_000, advice: spent },
  ],
  [
    503,
    { date: now, 'retry-after': 'Fri, 20 Nov 2026 06:00:09 GMT' },
    'answered 503',
    { waitMs: 9000 },
  ],
  [
    503,
    { date: now, 'retry-after': 'Fri, 20 Nov 2026 05:00:00 GMT' },
    'answered 503',
    { waitMs: 0 },
  ],
  [503, { 'retry-after': 'later' }, 'answered 503', { waitMs: 0 }],
  [
    503,
    { 'retry-after': '61' },
    '"api.example.com" answered 503 and asks to wait longer than 60 s',
    { verb: 'failed', isHostDown: true, isLimit: false },
  ],
])('the status %i with the headers %j is a failure', (status, headers, message, details) => {
  const failure = explainStatus(url, status, new Headers(headers));

  expect(failure.message).toBe(message);
  expect(failure.details).toMatchObject({ status, ...details });
});

test.each([
  [403, {}, 'The credential of .npmrc gives no access.'],
  [404, {}, undefined],
  [
    403,
    { 'retry-after': '5' },
    'The limit on requests is used up; even with the credential of .npmrc.',
  ],
])('with a credential, the status %i with %j gives the advice: %s', (status, headers, advice) => {
  const credential = { authorization: 'Bearer x', from: '.npmrc' };

  expect(explainStatus(url, status, new Headers(headers), credential).details.advice).toBe(advice);
});

const withCode = (code: string, message = 'x') => Object.assign(new Error(message), { code });

test.each<[error: Error, message: string, repeats: number, isHostDown: boolean]>([
  [
    withCode('ENOTFOUND'),
    'the host does not exist, or cannot be looked up (DNS) (ENOTFOUND)',
    0,
    true,
  ],
  [
    withCode('EAI_AGAIN'),
    'the host does not exist, or cannot be looked up (DNS) (EAI_AGAIN)',
    0,
    true,
  ],
  [withCode('ECONNREFUSED'), 'connection refused (ECONNREFUSED)', 1, true],
  [withCode('UND_ERR_CONNECT_TIMEOUT'), 'no connection in 8 s (UND_ERR_CONNECT_TIMEOUT)', 1, true],
  [new errors.HeadersTimeoutError(), 'no answer in 20 s (UND_ERR_HEADERS_TIMEOUT)', 1, true],
  [
    withCode('ERR_SSL_WRONG_VERSION_NUMBER'),
    'the host does not speak https; plainHttpHosts in site/site.json permits http, with http:// in registryUrl (ERR_SSL_WRONG_VERSION_NUMBER)',
    0,
    true,
  ],
  [withCode('CERT_HAS_EXPIRED'), 'its certificate has expired (CERT_HAS_EXPIRED)', 0, true],
  [
    withCode('SELF_SIGNED_CERT_IN_CHAIN'),
    'its certificate is not valid here; NODE_EXTRA_CA_CERTS names an authority of your own (SELF_SIGNED_CERT_IN_CHAIN)',
    0,
    true,
  ],
  [withCode('ECONNRESET'), 'the connection was cut (ECONNRESET)', 3, false],
  [withCode('EMFILE', 'too many open files'), 'too many open files (EMFILE)', 3, false],
])('the error %s is described as: %s', (error, message, repeats, isHostDown) => {
  const failure = explainNetworkError(error, url) as Failure;

  expect(failure).toBeInstanceOf(Failure);
  expect(failure.message).toBe(message);
  expect(failure.details).toEqual({ verb: 'failed', repeats, isHostDown });
  expect(failure.cause).toBe(error);
});

test('the end of a time limit is a failure', () => {
  const error = new DOMException('x', 'TimeoutError');

  expect(explainNetworkError(error, url)).toMatchObject({
    message: 'the answer took too long',
    details: { verb: 'failed' },
  });
});

test('a failure, and an error without a code, stay as they are', () => {
  for (const error of [new Failure('x'), new TypeError('x'), new DOMException('x', 'AbortError')]) {
    expect(explainNetworkError(error, url)).toBe(error);
  }
});
