import { expect, it, onTestFinished } from 'vitest';
import type { RecordedLine } from '../../../src/core/schemas/recorded/recorded.ts';
import { gather, testHttp } from '../../harness/gathering.ts';
import { json } from '../../harness/imitated-upstream.ts';
import { always, answer, serve, startUpstream, type Handler } from '../../harness/upstream.ts';

const names = ['1.8', '1.9', '2.0', '2.1'];
const until = '2027-05-01';
const listing = (lines: readonly string[]): Handler =>
  serve(new Map([['/support.json', json({ lines: lines.map((name) => ({ name, end: until })) })]]));

/** Gathers the release lines of `svc` from a source that states them by an expression. */
async function askLines(
  handler: Handler,
  recorded: readonly string[] = names,
  others: readonly RecordedLine[] = [],
) {
  const upstream = await startUpstream(() => handler);
  const http = testHttp();
  onTestFinished(() => Promise.all([http.close(), upstream.close()]).then(() => undefined));
  const url = `${upstream.url}support.json`;
  const transform = '{"lines": [lines.{"line": name, "phases": {"support": end}}]}';
  const own = recorded.map((line): RecordedLine => ({
    line,
    phases: [{ name: 'support', until }],
    source: `support json:${url}`,
  }));
  const before = [...own, ...others];
  const definition = {
    support: { policy: 'stated', source: { datasource: 'json', url, transform } },
  };
  const result = await gather({ component: 'svc', definition, lines: before }, http);
  return {
    ...result,
    before,
    messages: result.findings.map(({ subject, message }) => `${subject}: ${message}`),
  };
}

it('a source of release lines changes nothing when nothing is new, or a line is missing', async () => {
  for (const lines of [names, names.slice(1)]) {
    const outcome = await askLines(listing(lines));

    expect([outcome.lines, outcome.messages]).toEqual([outcome.before, []]);
    expect(outcome.sources).toMatchObject([{ kind: 'answered' }]);
  }
});

it('a source of release lines adds a release line, but no release', async () => {
  const { lines, releases, before } = await askLines(listing([...names, '2.2']));

  expect(lines).toEqual([...before, { ...before[0], line: '2.2' }]);
  expect(releases).toEqual([]);
});

it('a source of release lines leaves the lines of another source as they are', async () => {
  const other = {
    line: '1.8',
    phases: [{ name: 'support', until: '2030-01-01' }],
    source: 'support json:x',
  };
  const { lines, before } = await askLines(listing(['1.8']), [], [other]);

  expect(before).toEqual([other]);
  expect(lines).toMatchObject([other, { line: '1.8', phases: [{ until }] }]);
});

it('a source of release lines reports a line with two ends, and uses the first', async () => {
  const ends = [until, until, '2030-01-01'];
  const document = json({ lines: ends.map((end) => ({ name: '1.8', end })) });
  const { lines, messages } = await askLines(serve(new Map([['/support.json', document]])), []);

  expect(lines).toMatchObject([{ line: '1.8', phases: [{ until }] }]);
  expect(messages).toEqual([
    expect.stringMatching(
      /: "1\.8" is listed more than once, with other values\. Used the first\.$/,
    ),
  ]);
});

it('a source of release lines reports that there are no lines if the first answer lists none', async () => {
  const { lines, messages } = await askLines(listing([]), []);

  expect(lines).toBeUndefined();
  expect(messages).toEqual([expect.stringMatching(/ Recorded data stays\.$/)]);
});

const sends = (body: string, type = 'application/json'): Handler => {
  return (_, response) => answer(response, 200, type, body);
};

it.each<[string, Handler, RegExp]>([
  ['has nothing there', always(404), /answered 404/],
  [
    'answers with a web page',
    sends('<title>Sign in</title>', 'text/html'),
    /has the unexpected type text\/html/,
  ],
  ['sends half a document', sends('{"lines": ['), /is not valid JSON/],
  ['nests a document without end', sends('['.repeat(200_000) + ']'.repeat(200_000)), /./],
])('recorded release lines stay when their source %s', async (_, handler, reason) => {
  const { lines, before, sources, messages } = await askLines(handler);

  expect(lines).toEqual(before);
  expect(sources).toMatchObject([{ kind: 'failed', reason: expect.stringMatching(reason) }]);
  expect(messages).toEqual([
    expect.stringMatching(/^svc \(support json\): .* Recorded data stays\.$/),
  ]);
});
