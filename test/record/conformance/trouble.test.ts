import type { LookupFunction } from 'node:net';
import { describe, expect, it } from 'vitest';
import { expectFailed, expectHeld, expectUpdated, expectOtherUpdated } from '../../harness/expectations.ts';
import { run, type Behaviour } from '../../harness/gathering.ts';
import type { ImitatedUpstream } from '../../harness/imitated-upstream.ts';
import { remoteUpstreams } from '../../harness/imitated-upstreams.ts';
import {
  always,
  answer,
  atFirst,
  changed,
  cut,
  deadUrl,
  endless,
  firstHalf,
  gzipBomb,
  redirects,
  serve,
  stalled,
} from '../../harness/upstream.ts';

/** How long any behaviour of an upstream may keep a run; the waits between requests are not waited for here. */
const boundMs = 30_000;

const loginPage = '<!doctype html><html><title>Sign in</title><form><input name="password"></form></html>';

interface Failure {
  name: string;
  behaviour(): Behaviour | Promise<Behaviour>;
  reason: RegExp;
}

/** All datasources ask through one client, so two of them show what it makes of trouble on the way. */
const twoUpstreams = remoteUpstreams.filter(({ name }) => name === 'npm' || name === 'maven');

const ofTransport: Failure[] = [
  {
    name: 'wants a login',
    behaviour: () => ({ handler: () => always(401) }),
    reason: /GET http\S+ answered 401/,
  },
  {
    name: 'forbids it',
    behaviour: () => ({ handler: () => always(403) }),
    reason: /GET http\S+ answered 403/,
  },
  {
    name: 'answers 503 and nothing else',
    behaviour: () => ({ handler: () => always(503) }),
    reason: /GET http\S+ answered 503 four times/,
  },
  {
    name: 'wants to be asked tomorrow',
    behaviour: () => ({ handler: () => always(429, { 'retry-after': '86400' }) }),
    reason: /GET http\S+ answered 429 and asks to wait 86400 s, longer than/,
  },
  {
    name: 'refuses the connection',
    behaviour: async () => ({ url: await deadUrl() }),
    reason: /GET http\S+: connection refused/,
  },
  {
    name: 'has a host that does not exist',
    behaviour: () => ({ url: 'https://registry.example.org/', http: { addresses: { lookup: notFound } } }),
    reason: /GET https:\S+: host "registry\.example\.org" does not exist/,
  },
  {
    name: 'hangs up in the middle',
    behaviour: () => ({ handler: cut }),
    reason: /GET http\S+: .*(cut|closed|reset)/,
  },
  {
    name: 'stops sending in the middle',
    behaviour: () => ({ handler: stalled, http: { limits: { maxRetries: 1 } } }),
    reason: /GET http\S+: .*(nothing|silent|s\b)/,
  },
  {
    name: 'never answers',
    behaviour: () => ({ handler: () => () => undefined, http: { limits: { maxRetries: 1 } } }),
    reason: /GET http\S+: no answer/,
  },
  {
    name: 'sends without end',
    behaviour: () => ({ handler: endless, http: { limits: { maxBytes: 1024 * 1024 } } }),
    reason: /GET http\S+ is bigger than the 1024 KB we read/,
  },
  {
    name: 'redirects in a circle',
    behaviour: () => ({ handler: () => redirects((path) => path) }),
    reason: /GET http\S+ redirects in a loop/,
  },
  {
    name: 'redirects for ever',
    behaviour: () => ({ handler: () => redirects((path) => `${path}x`) }),
    reason: /redirects more than 5 times/,
  },
  {
    name: 'redirects to a plain http address',
    behaviour: () => ({ handler: () => redirects(() => 'http://registry.example.org/') }),
    reason: /GET http\S+ leads to http:\/\/registry\.example\.org\/, which is not https:/,
  },
  {
    name: 'redirects to a file',
    behaviour: () => ({ handler: () => redirects(() => 'file:///etc/passwd') }),
    reason: /leads to file:\/\/\/etc\/passwd, which is not https:/,
  },
];

/** What depends on how a datasource asks for its documents and reads them. */
const ofContent: Failure[] = [
  {
    name: 'has nothing there',
    behaviour: () => ({ handler: () => always(404) }),
    reason: /GET http\S+ answered 404/,
  },
  {
    name: 'answers with a web page instead',
    behaviour: () => ({ handler: () => (_, response) => answer(response, 200, 'image/png', loginPage) }),
    reason: /GET http\S+ is image\/png, not /,
  },
  {
    name: 'sends a gzip bomb',
    behaviour: () => ({ handler: gzipBomb, http: { limits: { maxBytes: 1024 * 1024, totalMs: boundMs } } }),
    reason: /GET http\S+ is bigger than/,
  },
  {
    name: 'sends what is no text',
    behaviour: () => ({
      handler: (documents) =>
        changed(documents, (document) => ({ ...document, body: Buffer.from([0xff, 0xfe, 0x00]) })),
    }),
    reason: /GET http\S+ is not valid UTF-8/,
  },
];

describe.concurrent.each(twoUpstreams)(
  '$name, whose upstream cannot be reached or breaks off',
  (imitation) => {
    it.each(ofTransport)('keeps what is recorded when it $name', (failure) => expectKept(imitation, failure));

    it('waits as long as it is told after a 429, and then goes on', async () => {
      const outcome = await run(imitation, {
        handler: (documents) => atFirst(always(429, { 'retry-after': '7' }), serve(documents)),
      });

      expectUpdated(outcome);
      expect(outcome.waitedMs).toBeGreaterThanOrEqual(7_000);
    });

    it('goes on after a 500 that passes', async () => {
      expectUpdated(await run(imitation, { handler: (documents) => atFirst(always(500), serve(documents)) }));
    });

    it('goes on after a connection that was cut once', async () => {
      expectUpdated(
        await run(imitation, { handler: (documents) => atFirst(cut(documents), serve(documents)) }),
      );
    });
  },
);

describe.concurrent.each(remoteUpstreams)(
  '$name, whose upstream answers with something else',
  (imitation) => {
    it.each(ofContent)('keeps what is recorded when it $name', (failure) => expectKept(imitation, failure));

    it('takes nothing of a login page that is passed off as the document', async () => {
      const outcome = await run(imitation, {
        handler: (documents) => changed(documents, (document) => ({ ...document, body: loginPage })),
      });

      if (imitation.onlyAdds) expectHeld(outcome, /lists nothing/);
      else
        expectFailed(
          outcome,
          /is not valid JSON|has a DOCTYPE|cannot be read as YAML|expected (object|a version|packets)/,
        );
    });

    it('takes nothing of a document that was truncated before it was sent', async () => {
      const outcome = await run(imitation, {
        handler: (documents) =>
          changed(documents, (document) => ({ ...document, body: firstHalf(document.body) })),
      });

      expect(outcome.releases).toEqual(outcome.before);
      expect(outcome.sources[0]!.kind).not.toBe('answered');
      expectOtherUpdated(outcome);
    });

    it('survives a document that is nested without end', async () => {
      const depth = 200_000;
      const outcome = await run(imitation, {
        handler: (documents) =>
          changed(documents, ({ type }) => {
            const [open, close] = type.includes('xml') ? ['<a>', '</a>'] : ['[', ']'];
            return { type, body: open.repeat(depth) + close.repeat(depth) };
          }),
      });

      expect(outcome.releases).toEqual(outcome.before);
      expect(outcome.sources[0]!.kind).not.toBe('answered');
      expectOtherUpdated(outcome);
    });

    it('says "no release yet" when the very first answer lists nothing', async () => {
      const outcome = await run(imitation, { releases: [], recorded: [] });

      expect(outcome.releases).toEqual([]);
      expect(outcome.messages).toHaveLength(1);
      expect(outcome.messages[0]).toMatch(/lists no version.* No release of it is recorded yet\.$/);
    });
  },
);

async function expectKept(imitation: ImitatedUpstream, { behaviour, reason }: Failure): Promise<void> {
  const startedAt = performance.now();
  const outcome = await run(imitation, await behaviour());

  expectFailed(outcome, reason);
  expect(performance.now() - startedAt).toBeLessThan(boundMs);
}

function notFound(hostname: string, _options: unknown, callback: Parameters<LookupFunction>[2]): void {
  callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' }), '', 0);
}
