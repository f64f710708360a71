import { describe, expect, it } from 'vitest';
import { expectFailed } from '../../harness/expectations.ts';
import { run, type Behaviour } from '../../harness/gathering.ts';
import { remoteUpstreams } from '../../harness/imitated-upstreams.ts';
import { always, answer, changed, firstHalf, type Document } from '../../harness/upstream.ts';

const loginPage =
  '<!doctype html><html><title>Sign in</title><form><input name="password"></form></html>';

describe.concurrent.each(remoteUpstreams)('$name with a failing upstream', (imitation) => {
  // test/io/http covers all failures that do not depend on the requests of a datasource.
  it.each<[string, Behaviour['handler'], RegExp]>([
    ['has nothing there', () => always(404), /GET http\S+ answered 404/],
    [
      'answers with a web page instead',
      () => (_, response) => answer(response, 200, 'image/png', loginPage),
      /GET http\S+ has the unexpected type image\/png/,
    ],
  ])('keeps recorded data when upstream %s', async (_, handler, reason) => {
    expectFailed(await run(imitation, { handler: handler! }), reason);
  });

  it('keeps recorded data when it gets a login page as the document', async () => {
    const outcome = await run(imitation, {
      handler: (documents) => changed(documents, (document) => ({ ...document, body: loginPage })),
    });

    if (imitation.onlyAdds) {
      expect(outcome.releases).toEqual(outcome.before);
    } else {
      expectFailed(
        outcome,
        /is not valid JSON|contains <!DOCTYPE|cannot be read as YAML|expected (object|a version|packets)/,
      );
    }
  });

  it.each<[string, (document: Document) => Document]>([
    ['was truncated before it was sent', ({ type, body }) => ({ type, body: firstHalf(body) })],
    [
      'is nested too deeply',
      ({ type }) => {
        const [open, close] = type.includes('xml') ? ['<a>', '</a>'] : ['[', ']'];
        return { type, body: open.repeat(200_000) + close.repeat(200_000) };
      },
    ],
  ])('keeps recorded data when the document %s', async (_, change) => {
    const outcome = await run(imitation, { handler: (documents) => changed(documents, change) });

    expect(outcome.releases).toEqual(expect.arrayContaining([...outcome.before]));
  });

  it('reports "no release yet" when the first answer lists nothing', async () => {
    const outcome = await run(imitation, { releases: [], recorded: [] });

    expect(outcome.releases).toEqual([]);
    expect(outcome.messages).toHaveLength(1);
    expect(outcome.messages[0]).toMatch(/lists no version.* Recorded data stays\.$/);
  });
});
