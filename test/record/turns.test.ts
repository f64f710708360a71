import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { Freshness } from '../../src/core/schema/recorded.ts';
import { gatherAll } from '../../src/record/gather.ts';
import { createTestHttp } from '../harness/ask-source.ts';
import { writeIndex } from '../harness/components.ts';
import { openIndex, today } from '../harness/index-folder.ts';
import { release, subjectOf } from '../harness/judging.ts';
import { json, reply, serve, startUpstream } from '../harness/upstream.ts';

interface Shortage {
  sources: number;
  /** How many requests the host answers per run. */
  answers: number;
  /** How many sources answer 404. These are the first sources in the index. */
  gone?: number;
  /** How many sources have a list of two pages. These are the last sources in the index. */
  long?: number;
}

const spent = reply(403, { 'retry-after': '3600' });
const nameOf = (index: number) => `c${String(index).padStart(3, '0')}`;

/**
 * Runs `gather` for some days against a host with a rate limit. Returns for each day the components whose source answered. An answer with
 * the status 404 also counts.
 */
async function runShort({ sources, answers, gone = 0, long = 0 }: Shortage, days: number) {
  let left = 0;
  let release = '';
  const { url } = await startUpstream((address) => (request, response) => {
    left -= 1;
    if (left < 0) {
      spent(request, response);
      return;
    }
    const [, number = ''] = /c(\d+)/.exec(request.url!) ?? [];
    const isLast = request.url!.endsWith('page=2') || Number(number) < sources - long;
    const next: Record<string, string> = isLast
      ? {}
      : { link: `<${address}${request.url!.slice(1)}&page=2>; rel="next"` };
    const page = [{ tag_name: isLast ? release : '1.0.0', published_at: '2026-01-01T00:00:00Z' }];
    serve(Number(number) < gone ? {} : { [request.url!]: json(page, next) })(request, response);
  });
  let inputs = Array.from({ length: sources }, (_, index) => {
    const component = nameOf(index);
    const source = { datasource: 'github-releases', packageName: `a/${component}` };
    const subject = subjectOf([], { sources: [{ ...source, registryUrl: url }] });
    return { ...subject, component, freshness: {} as Freshness[string] };
  });

  const asked: string[][] = [];
  for (let count = 0; count < days; count += 1) {
    left = answers;
    release = `2.${count}.0`;
    const http = createTestHttp();
    const { signal } = new AbortController();
    const day = addDays('2026-06-28', count);
    const { gathered } = await gatherAll(inputs, { day, http, root: '', signal });
    await http.close();
    expect(gathered.map(({ component }) => component)).toEqual(
      inputs.map((each) => each.component),
    );
    for (const { recorded, failed, postponed } of gathered) {
      const isNew = recorded.releases.some(({ version }) => version === release);
      const isGone = failed.some(({ reason }) => reason.endsWith('answered 404'));
      expect(postponed).toHaveLength(isNew || isGone ? 0 : 1);
    }
    const answered = gathered.filter(({ postponed }) => postponed.length === 0);
    asked.push(answered.map(({ component }) => component));
    inputs = inputs.map((each, index) => ({ ...each, ...gathered[index]! }));
  }
  return asked;
}

test('on the next day, gather first asks the sources that a rate limit postponed', async () => {
  const [first, second] = await runShort({ sources: 50, answers: 30 }, 2);

  expect(first).toHaveLength(30);
  expect(second).toHaveLength(30);
  expect(new Set([...first!, ...second!]).size).toBe(50);
});

test('gather asks each source of a rate-limited host within a few runs, even if some sources need several requests', async () => {
  const [sources, answers, long, days] = [60, 12, 15, 14];
  const asked = await runShort({ sources, answers, gone: 6, long }, days);

  const runs = Math.ceil((sources + long) / answers) + 1;
  const waits = Array.from({ length: sources }, (__, index) => {
    const turns = asked.flatMap((names, day) => (names.includes(nameOf(index)) ? day : []));
    return [-1, ...turns, days].slice(1).map((turn, position) => turn - [-1, ...turns][position]!);
  });
  expect(Math.max(...waits.flat())).toBeLessThanOrEqual(runs);
});

test('gather does not call the index complete if nothing is recorded from a postponed source', async () => {
  const { url } = await startUpstream(() => (request, response) => {
    (request.url === '/known' ? reply(404) : spent)(request, response);
  });
  const define = (packageName: string) => ({
    definition: { sources: [{ datasource: 'npm', packageName, registryUrl: url }] },
  });
  const known = { ...define('known'), releases: [release('1.0', '2026-01-01')] };
  const complete = openIndex(writeIndex({ known }));
  const index = openIndex(writeIndex({ known, new: define('new') }));

  const ended = [await complete.run('gather'), await index.run('gather')];
  expect(ended.map(({ stdout }) => stdout.trimEnd().split('\n').at(-1))).toEqual([
    'Their recorded data stays, so the index is complete.',
    'Their recorded data stays.',
  ]);
});

test('gather reports in one line how many sources a rate limit postponed, and never says that all sources answered', async () => {
  let left = 3;
  const { url } = await startUpstream(() => (request, response) => {
    left -= 1;
    const sound = serve({ [request.url!]: json({ versions: { '1.0.0': {} } }) });
    (left < 0 ? spent : sound)(request, response);
  });
  const components = ['a', 'b', 'c', 'd', 'e'].map((packageName) => {
    const sources = [{ datasource: 'npm', packageName, registryUrl: url }];
    return [packageName, { definition: { sources } }];
  });
  const index = openIndex(writeIndex(Object.fromEntries(components)));
  const { status, stdout, stderr } = await index.run('gather', '--as-of', today);

  const { host } = new URL(url);
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: `warning: ${host}: postponed 2 sources, which the next run asks first: "${host}" answered 403 and asks to wait longer than 60 s. The limit on requests is used up; a token in RELEASE_INDEX_AUTH_${host.replaceAll(/[.:]/g, '_')} or a token in npm's configuration raises it.\n`,
  });
  expect(stdout).toBe('Asked 3 of 5 sources: 3 answered, 2 postponed.\n');
  const freshness = Freshness.parse(JSON.parse(index.read('data/freshness.json')));
  expect(Object.values(freshness).flatMap((sources) => Object.values(sources))).toMatchObject([
    { answeredOn: today },
    { answeredOn: today },
    { answeredOn: today },
    { leftSince: today, host },
    { leftSince: today, host },
  ]);

  const again = await index.run('gather', '--as-of', today);
  expect(again.stdout).toBe('Asked 0 of 5 sources: 5 postponed.\n');
  const { stdout: printed } = await index.run('gather', '--as-of', today, '--json');
  const reason = expect.stringMatching(/^"127.+limit/) as string;
  expect(JSON.parse(printed)).toMatchObject({
    asked: 0,
    postponed: components.map(([component]) => {
      return { component, source: `npm:${component as string}`, host, reason };
    }),
  });

  // Two sources have not answered for three days. One line reports both.
  const planned = await index.run('plan', '--as-of', addDays(today, 3));
  expect(planned.stderr).toMatch(
    /^warning: d \(npm:d\) has never answered: .+ 1 more source of this host is silent: e \(npm:e\)\.\nwarning: .+: postponed 3 sources, .+\n$/,
  );
});
