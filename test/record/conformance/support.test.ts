import { describe, expect, it } from 'vitest';
import { known, news, type Behaviour } from '../../harness/gathering.ts';
import { runSupport, type StatedOutcome } from '../../harness/stating.ts';
import { always, answer, changed, firstHalf, type Documents } from '../../harness/upstream.ts';
import { supportUpstreams } from '../../harness/upstreams/support.ts';

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

    expect([outcome.lines, outcome.messages]).toEqual([outcome.before, []]);
  });

  it('reports that there are no lines if the first answer lists none', async () => {
    const { lines, messages } = await runSupport(imitation, { releases: [], lines: [] });

    expect(lines).toBeUndefined();
    expect(messages).toEqual([expect.stringMatching(/ No release line of it is recorded yet\.$/)]);
  });
});

describe.concurrent.each(supportUpstreams)('$name with other answers', (imitation) => {
  const withBody = (bodyOf: (body: string | Buffer) => string | Buffer) => (documents: Documents) =>
    changed(documents, (document) => ({ ...document, body: bodyOf(document.body) }));

  it.each<[string, Behaviour['handler'], RegExp]>([
    ['has nothing there', () => always(404), /answered 404/],
    ['is down', () => always(503), /answered 503 \(four times\)/],
    [
      'answers with a web page',
      () => (_, response) => answer(response, 200, 'text/html', loginPage),
      /is text\/html, not /,
    ],
    ['passes a login page off as the document', withBody(() => loginPage), /is not valid JSON/],
    ['sends half a document', withBody(firstHalf), /is not valid JSON/],
    ['nests a document without end', withBody(() => '['.repeat(200_000) + ']'.repeat(200_000)), /./],
  ])('keeps what is recorded when it %s', async (_, handler, reason) => {
    expectKept(await runSupport(imitation, { handler: handler! }), reason);
  });

  it.each(['[]', 'null', '{}', '{"result": []}'])(
    'keeps what is recorded when it answers with %s',
    async (body) => {
      const { lines, before } = await runSupport(imitation, { handler: withBody(() => body) });

      expect(lines).toEqual(before);
    },
  );
});
