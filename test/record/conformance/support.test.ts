import { describe, expect, it } from 'vitest';
import { news } from '../../harness/gathering.ts';
import { runSupport, type StatedOutcome } from '../../harness/stating.ts';
import { always, answer, changed, firstHalf } from '../../harness/upstream.ts';
import { supportUpstreams } from '../../harness/upstreams/support.ts';
import { known } from '../../harness/gathering.ts';

const loginPage = '<!doctype html><html><title>Sign in</title><form><input name="password"></form></html>';

function expectKept({ lines, before, sources, messages }: StatedOutcome, reason: RegExp): void {
  expect(lines).toEqual(before);
  expect(sources).toMatchObject([{ kind: 'failed', reason: expect.stringMatching(reason) }]);
  expect(messages).toEqual([
    expect.stringMatching(/^svc \(support \S+\): .* Kept all 6 recorded release lines\.$/),
  ]);
  expect(messages[0]).not.toMatch(/\n|Error:|undefined|\[object/);
}

describe.concurrent.each(supportUpstreams)('$name with sound answers', (imitation) => {
  it('changes nothing when nothing is new', async () => {
    const outcome = await runSupport(imitation);

    expect(outcome.lines).toEqual(outcome.before);
    expect(outcome.messages).toEqual([]);
    expect(outcome.sources).toMatchObject([{ kind: 'answered' }]);
  });

  it('adds a release line, but no release', async () => {
    const { lines, releases, before } = await runSupport(imitation, { releases: [...known, news] });

    expect(lines).toEqual([...before, { ...before.at(-1), line: '2.2' }]);
    expect(releases).toEqual([]);
  });

  it('keeps a release line that is missing', async () => {
    const outcome = await runSupport(imitation, { releases: known.slice(1) });

    expect(outcome.lines).toEqual(outcome.before);
    expect(outcome.messages).toEqual([]);
  });

  it('reports that there are no lines if the first answer lists none', async () => {
    const { lines, messages } = await runSupport(imitation, { releases: [], lines: [] });

    expect(lines).toBeUndefined();
    expect(messages).toEqual([expect.stringMatching(/ No release line of it is recorded yet\.$/)]);
  });
});

describe.concurrent.each(supportUpstreams)('$name with other answers', (imitation) => {
  it.each([
    ['has nothing there', () => always(404), /answered 404/],
    ['is down', () => always(503), /answered 503 \(four times\)/],
  ] as const)('keeps what is recorded when it %s', async (_, handler, reason) => {
    expectKept(await runSupport(imitation, { handler }), reason);
  });

  it('keeps what is recorded when it answers with a web page', async () => {
    const handler = () => (_: unknown, response: Parameters<typeof answer>[0]) =>
      answer(response, 200, 'text/html', loginPage);
    expectKept(await runSupport(imitation, { handler }), /is text\/html, not /);
  });

  it.each([
    ['a login page that is passed off as the document', () => loginPage, /is not valid JSON/],
    ['half a document', (body: string | Buffer) => firstHalf(body), /is not valid JSON/],
    ['a document that is nested without end', () => '['.repeat(200_000) + ']'.repeat(200_000), /./],
  ] as const)('keeps what is recorded when it answers with %s', async (_, bodyOf, reason) => {
    const outcome = await runSupport(imitation, {
      handler: (documents) =>
        changed(documents, (document) => ({ ...document, body: bodyOf(document.body) })),
    });

    expectKept(outcome, reason);
  });

  it.each(['[]', 'null', '{}', '{"result": []}'])(
    'keeps what is recorded when it answers with %s',
    async (body) => {
      const { lines, before } = await runSupport(imitation, {
        handler: (documents) => changed(documents, (document) => ({ ...document, body })),
      });

      expect(lines).toEqual(before);
    },
  );
});
