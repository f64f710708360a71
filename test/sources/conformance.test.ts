import { describe, expect, test } from 'vitest';
import { datasourceFacts } from '../../src/core/datasources.ts';
import { ask, type Question } from '../harness/ask-source.ts';
import { imitatedUpstreams } from '../harness/imitated-upstreams.ts';
import { fileDigest, fileUrl, type ImitatedUpstream, type Listed } from '../harness/imitation.ts';
import {
  json,
  mapDocuments,
  reply,
  text,
  type Document,
  type Handler,
} from '../harness/upstream.ts';

const listed: readonly Listed[] = [
  { version: 'v1.9.0', at: '2024-04-02T12:00:00Z' },
  { version: 'v1.10.0', at: '2024-08-19T00:00:00Z' },
  { version: 'v1.10.1', at: '2024-09-10T08:15:30Z' },
  { version: 'v2.0.0', at: '2025-04-08T00:00:00Z' },
  { version: 'v2.1.0', at: '2026-03-25T10:00:00Z' },
];
const versions = listed.map(({ version }) => version);

/** Returns a matcher for the releases that a source must read from a correct list of its upstream. */
function expectReleases(upstream: (typeof cases)[number]) {
  const expected = listed.map(({ version, at }) => ({
    version,
    ...(at !== undefined && !upstream.givesNoDate && { releaseTimestamp: at }),
    ...(at !== undefined && upstream.name === 'docker (Docker Hub)' && { isUpperBound: true }),
    ...(upstream.digest && { digests: [upstream.digest(version)] }),
    ...(upstream.name.endsWith('-tags') && { digest: null }),
    ...(upstream.files && expectFiles(upstream.files, version)),
  }));
  return expect.arrayContaining(expected) as unknown;
}

/** Returns the digests and files of a release with several files. `digest` is null, because no file is the main file. */
function expectFiles(names: readonly string[], version: string) {
  const files = names.map((name) => {
    return [name, { digest: fileDigest(version, name), url: fileUrl(version, name) }] as const;
  });
  return {
    digests: files.map(([, { digest }]) => digest).sort(),
    digest: null,
    files: Object.fromEntries(files),
  };
}

const cases = Object.entries(imitatedUpstreams).map(([name, upstream]) => ({ name, ...upstream }));
const remote = cases.filter(({ documents }) => documents);

interface Behaviour {
  releases?: readonly Listed[];
  pageSize?: number;
  changeDocument?(document: Document): Document;
  change?: NonNullable<Question['change']>;
}

function askImitation(upstream: ImitatedUpstream, behaviour: Behaviour = {}) {
  const { releases = listed, pageSize = 100, changeDocument = (document) => document } = behaviour;
  return ask((url) => upstream.source(url, releases), {
    standsFor: upstream.standsFor,
    documents: (url) =>
      mapDocuments(upstream.documents?.(releases, url, pageSize) ?? {}, changeDocument),
    ...(behaviour.change && { change: behaviour.change }),
  });
}

/** Asks an upstream that answers every request with this handler. */
function askBroken(upstream: ImitatedUpstream, handler: Handler) {
  return askImitation(upstream, { change: () => handler });
}

test('the conformance tests imitate every datasource except osv', () => {
  const names = new Set(cases.map(({ name }) => name.split(' ')[0]));

  expect([...names, 'osv'].sort()).toEqual(Object.keys(datasourceFacts).sort());
});

const inherited = ['__proto__', 'constructor', 'toString'];

describe.each(cases)('$name', (upstream) => {
  test('reads versions, dates, digests and files, and lists each version once', async () => {
    const { releases, notes } = await askImitation(upstream, {
      releases: [...listed, ...listed],
    });

    expect(releases).toEqual(expectReleases(upstream));
    expect(releases).toHaveLength(listed.length);
    expect(notes).toEqual([]);
  });

  test('leaves out a release date in the future, and reports it', async () => {
    const undated = [{ version: 'v3.0.0' }, { version: 'v4.0.0', at: '2027-01-01T00:00:00Z' }];
    const { releases, notes } = await askImitation(upstream, {
      releases: [...listed, ...undated],
    });

    const days = releases.map(({ version, releaseTimestamp }) => [version, releaseTimestamp]);
    expect(days).toEqual(
      expect.arrayContaining([
        ['v3.0.0', undefined],
        ['v4.0.0', undefined],
      ]),
    );
    const planned = 'v4.0.0 is planned: it will be listed from 2027-01-01 on';
    const note =
      upstream.name === 'static'
        ? planned
        : `"v4.0.0": expected a date between 2000-01-01 and 2026-06-30`;
    expect(notes.join()).toContain(upstream.givesNoDate ? '' : note);
  });

  test('keeps or skips a hostile version name, but never changes it', async () => {
    const hostile = ['../../etc/passwd', '<script>', '..', '1.0?x=y', '1.0%2e%2e%2f', ...inherited];
    const releases = [...hostile.map((version) => ({ version, at: listed[0]!.at! })), ...listed];
    const answer = await askImitation(upstream, { releases });

    const names = answer.releases.map(({ version }) => version);
    expect(names).toEqual(expect.arrayContaining(versions));
    expect([...hostile, ...versions]).toEqual(expect.arrayContaining(names));
    expect(answer.releases).toEqual(expectReleases(upstream));
  });
});

test.each(cases.filter(({ isPlain }) => !isPlain))(
  '$name skips a malformed entry, and reports it',
  async (upstream) => {
    const broken = { version: 'v2.0.1', isMalformed: true };
    const answer = await askImitation(upstream, { releases: [broken, ...listed] });

    expect(answer.releases.map(({ version }) => version).sort()).toEqual([...versions].sort());
    expect(answer.isPartial).toBe(true);
    expect(answer.notes).toEqual([
      expect.stringMatching(/^entry 1: .*expected .+\. Skipped 1 of 6 entries\.$/),
    ]);
  },
);

const bombs: Record<string, string> = {
  xml: '<!DOCTYPE a [<!ENTITY b "cc">]><metadata>&b;</metadata>',
  yaml: 'a: &a [x, x]\nentries: {agent: [*a, *a]}\n',
};

describe.each(remote)('$name over the network', (upstream) => {
  test('fails for an empty list', async () => {
    await expect(askImitation(upstream, { releases: [] })).rejects.toThrow('lists no version');
  });

  test.each([
    [404, ''],
    [503, ' (4 attempts)'],
  ])('fails for the status %i', async (status, attempts) => {
    const asked = askBroken(upstream, reply(status));

    await expect(asked).rejects.toThrow(`answered ${status}${attempts}`);
  });

  test.each<[string, Document]>([
    ['a web page', text('<!doctype html><title>Sign in</title>', 'text/html')],
    ['another JSON document', json({ message: 'moved' })],
    ['entities and aliases', text(bombs['xml']! + bombs['yaml']!, 'application/json')],
    ['deep nesting', text('['.repeat(100_000) + ']'.repeat(100_000), 'application/json')],
  ])('fails for %s', async (_, document) => {
    const asked = askBroken(upstream, reply(200, { 'content-type': document.type }, document.body));

    await expect(asked).rejects.toMatchObject({ name: 'SourceError' });
  });
});

/** Objects that `String` or `JSON.stringify` cannot convert to a string. */
const hostileObjects = ['{"toString":1}', '[{"toJSON":{},"valueOf":0}]', nest(10_000)];

function nest(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

const isJson = ({ name }: { name: string }) =>
  !['git-tags', 'helm', 'maven', 'page'].includes(name);
/** Matches a JSON key whose value is a string, a number, a boolean or null. */
const fieldForm = /("[^"]+"):(?:"[^"]*"|null|true|false|[\d.]+)/g;

test.each(remote.filter(isJson))(
  '$name reads an object in place of any value, or throws a SourceError',
  async (upstream) => {
    const releases = listed.slice(0, 1);
    const documents = Object.values(
      upstream.documents!(releases, 'https://registry.example/', 100),
    );
    const fields = documents.flatMap(({ body }) => [...String(body).matchAll(fieldForm)]);
    const keys = new Set(fields.map(([, key]) => key));

    expect(keys).not.toHaveLength(0);
    for (const key of keys) {
      for (const object of hostileObjects) {
        const outcome = await askImitation(upstream, {
          releases,
          changeDocument: ({ body, ...document }) => ({
            ...document,
            body: String(body).replaceAll(fieldForm, (field, own) =>
              own === key ? `${own}:${object}` : field,
            ),
          }),
        }).then(
          () => 'an answer',
          ({ name }) => name,
        );
        expect(outcome, key).toBeOneOf(['an answer', 'SourceError']);
      }
    }
  },
);

/** Returns false for a format in which half a list is also a valid list, such as one version per line. */
const hasEnd = ({ name }: { name: string }) => !['go', 'helm', 'page'].includes(name);

test.each(remote.filter(hasEnd))('$name rejects half a document', async (upstream) => {
  const asked = askImitation(upstream, {
    changeDocument({ type, body, headers = {} }) {
      const whole = Buffer.from(body as string);
      return { type, headers, body: whole.subarray(0, Math.floor(whole.length / 2)) };
    },
  });

  await expect(asked).rejects.toMatchObject({ name: 'SourceError' });
});

describe.each(remote.filter(({ hasPages }) => hasPages))('$name in pages', (upstream) => {
  test('reads all pages', async () => {
    const { releases } = await askImitation(upstream, { pageSize: 2 });

    expect(releases).toEqual(expectReleases(upstream));
  });

  test('rejects the whole list if one page fails', async () => {
    const asked = askImitation(upstream, {
      pageSize: 2,
      change: (sound) => (request, response) => {
        const isLater = request.url!.includes('page=2');
        (isLater ? reply(404) : sound)(request, response);
      },
    });

    await expect(asked).rejects.toThrow('answered 404');
  });

  test('rejects a list whose next page is at another host', async () => {
    const link = { link: '<https://registry.example.org/2>; rel="next"' };
    const asked = askImitation(upstream, {
      pageSize: 2,
      changeDocument: ({ body, headers, type }) => ({
        type,
        body: String(body).replace(/"next":"[^"]+"/, '"next":"https://registry.example.org/2"'),
        ...(headers?.['link'] && { headers: link }),
      }),
    });

    await expect(asked).rejects.toThrow('at the same host');
  });
});

test.each(cases.filter(({ lookUp }) => lookUp))(
  '$name stops looking up release dates after three failures in a row',
  async (upstream) => {
    const releases = Array.from({ length: 40 }, (_, index) => ({ version: `v1.${index}.0` }));
    const lookUps = releases.map(({ version }) => upstream.lookUp!(version));
    const { asked, notes, ...answer } = await askImitation(upstream, {
      releases,
      change: (sound) => (request, response) => {
        const isLookUp = lookUps.includes(`${request.method} ${request.url}`);
        (isLookUp ? reply(400) : sound)(request, response);
      },
    });

    expect(answer.releases).toHaveLength(40);
    expect(notes[0]).toMatch(/^the day of v1\.\S+ is unknown, because .+answered 400\./);
    expect(asked.filter((request) => lookUps.includes(request)).length).toBeLessThan(12);
  },
);
