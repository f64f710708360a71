import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ask } from '../../../src/ask/answers/ask.ts';
import { listExamples } from '../../../src/ask/answers/example-questions.ts';
import { endpoints } from '../../../src/ask/server/api/router.ts';
import { tools } from '../../../src/ask/server/mcp/tools.ts';
import { insertArguments } from '../../../src/site/render/examples.ts';
import type { Day } from '../../../src/core/model/dates.ts';
import type { PublishedIndex } from '../../../src/ask/answers/published-index.ts';
import { openFolder } from '../../../src/cli/open-published.ts';
import { apiOf } from '../../harness/api.ts';
import { checkout } from '../../harness/checkout.ts';
import { runCli } from '../../harness/cli.ts';
import { readJsonIn, temporaryFolder } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { loadedVerbs } from '../../harness/verbs.ts';

/** The day of the last run of the example that this repository has. */
const { asOf: day } = JSON.parse(
  readFileSync(join(checkout, 'data/runs/2026.ndjson'), 'utf8').trimEnd().split('\n').at(-1)!,
) as { asOf: Day };
const out = join(temporaryFolder(), 'dist');

let index: PublishedIndex;
let requests: readonly DocumentedRequest[];

beforeAll(async () => {
  const { status } = await runHere(['build', '--root', checkout, '--out', out, '--as-of', day]);
  expect(status).toBe(0);
  ({ index } = openFolder(out, () => day));
  requests = [...requestsOfPage(), ...requestsOfOpenApi(), ...requestsOfManual()];
});

interface DocumentedRequest {
  method: string;
  /** With the query. */
  path: string;
}

/** The links of `api.html`. */
function requestsOfPage(): DocumentedRequest[] {
  const page = readFileSync(join(out, 'api.html'), 'utf8');
  return Array.from(
    page.matchAll(/href="((?:api|build-export|packages|policies)\/[^"]+)"/g),
    ([, address]) => ({
      method: 'GET',
      path: `/${address!.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&')}`,
    }),
  );
}

interface Described {
  parameters?: { name: string; in: string; required: boolean; example?: string }[];
  responses: object;
}

/** The examples of parameters in `openapi.json`: in each request the path and one parameter, if all of it have examples. */
function requestsOfOpenApi(): DocumentedRequest[] {
  const { paths } = readJsonIn<{ paths: Record<string, Record<string, Described>> }>(
    out,
    'openapi.json',
  );
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { parameters = [], responses }]) => {
      const shown = parameters.filter(({ example }) => example !== undefined);
      const filled = shown.reduce(
        (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(example!)),
        path,
      );
      // Version 1 is for builds of Gradle, which an index never has, and says so. What answers 501 is not offered.
      if (shown.length === 0 || /\{|\/v1\//.test(filled) || '501' in responses) {
        return [];
      }

      const queries = shown
        .filter((parameter) => parameter.in === 'query')
        .map(({ name, example }) => `?${name}=${encodeURIComponent(example!)}`);
      return (queries.length > 0 ? queries : ['']).map((query) => ({
        method: method.toUpperCase(),
        path: `${filled}${query}`,
      }));
    }),
  );
}

/** The commands of curl in the manual. */
function requestsOfManual(): DocumentedRequest[] {
  const documents = readdirSync(join(checkout, '.github'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('.github', file));
  return ['README.md', ...documents].flatMap((file) =>
    Array.from(
      readFileSync(join(checkout, file), 'utf8').matchAll(
        /^ *curl (.*)https:\/\/releases\.example\.com(\/(?:api|build-export|packages|policies)\/[^\s'"]+)/gm,
      ),
      ([, options, path]) => {
        const [, name, value] = /--data-urlencode '(\w+)=([^']+)'/.exec(options!) ?? [];
        return {
          method: options!.includes('-X POST') ? 'POST' : 'GET',
          path: name === undefined ? path! : `${path!}?${name}=${encodeURIComponent(value!)}`,
        };
      },
    ),
  );
}

/** How many entries an answer has. A scan that does not apply, and a version that is not listed, are none. */
async function countSelected(answer: Response): Promise<number> {
  const body = await answer.text();
  expect(answer.status, body).toBe(200);
  if (answer.headers.get('content-type')!.startsWith('text/event-stream')) {
    return body.match(/^event: /gm)?.length ?? 0;
  }

  const found = JSON.parse(body) as
    { status?: string }[] | { items?: unknown[]; isListed?: boolean };
  if (Array.isArray(found)) {
    return found.filter(({ status }) => status !== 'not-applicable').length;
  }

  return found.isListed === false ? 0 : (found.items?.length ?? 1);
}

test('each documented request selects something of the example', async () => {
  const api = apiOf(out, index);
  const selected: [request: string, count: number][] = [];

  for (const { method, path } of requests) {
    selected.push([`${method} ${path}`, await countSelected(await api(path, { method }))]);
  }

  expect(selected.length).toBeGreaterThan(25);
  expect(selected.filter(([, count]) => count === 0)).toEqual([]);
});

test('a few runs of the example were started by npm, and are listed in pages', async () => {
  const answer = await apiOf(out, index)('/api/builds?since=0&maxBuilds=2&query=buildTool:npm');

  expect(await answer.json()).toMatchObject([
    { buildToolType: 'npm', buildToolVersion: expect.stringMatching(/^\d/) as string },
    { buildToolType: 'npm' },
  ]);
  expect(answer.headers.get('link')).toMatch(/rel="next"/);
});

/** Words as a shell reads them, without the index that an example names: the answers come from the checkout. */
const wordsOf = (command: string) =>
  Array.from(
    command.replace(/ --index \S+/, '').matchAll(/'([^']*)'|(\S+)/g),
    ([, quoted, bare]) => quoted ?? bare!,
  );

/** Examples of these read files or addresses that do not exist, or serve until they are stopped. */
const unanswerable = ['mcp', 'scan', 'verify'];
const answerable = loadedVerbs.filter(
  ({ verb, command }) => command.isQuestion && !unanswerable.includes(verb),
);

test.each(answerable)('each example in the help of $verb has an answer', async ({ command }) => {
  for (const [example] of command.examples) {
    const [verb, ...rest] = wordsOf(example);
    const options = ['--root', checkout, '--as-of', day];
    const { status, stdout } = await runCli([verb!, ...options, ...rest]);

    expect(status, example).toBe(0);
    expect(stdout, example).not.toMatch(/No release matches|is not (?:listed|released)/);
    expect(stdout.trim(), example).not.toBe('[]');
  }
});

test('each example of a tool has an answer', async () => {
  const version = readFileSync(join(out, 'latest/svc.txt'), 'utf8').trim();
  const values = { component: 'svc', version };
  for (const { name, example, answer } of tools) {
    const { text, content } = await answer(insertArguments(example, values), {
      index,
      day,
    });

    expect(text, name).not.toMatch(/No release matches|is not listed|^0 /);
    expect(JSON.stringify(content).length, name).toBeGreaterThan(100);
  }
});

test('each query in the description of a tool or an endpoint finds releases', async () => {
  const described = tools.flatMap(
    ({ description }) => /Examples: (.+?)\. /.exec(description)?.[1]!.split('; ') ?? [],
  );
  const parameters = endpoints.flatMap((endpoint) => endpoint.parameters);
  const ofApi = parameters.flatMap(({ name, example }) =>
    name === 'query' && example?.includes('{component}')
      ? example.replace('{component}', 'svc')
      : [],
  );

  expect(described.length + ofApi.length).toBeGreaterThan(4);
  for (const query of [...described, ...ofApi]) {
    expect(await ask(index, query), query).toMatchObject({
      kind: 'releases',
      total: expect.toSatisfy((total) => total > 0) as number,
    });
  }
});

test('each question that pages offer has an answer', async () => {
  for (const question of await listExamples(index)) {
    const answer = await ask(index, question);
    expect(answer.kind, question).toMatch(/^(?:releases|version)$/);
    if (answer.kind === 'releases') {
      expect(answer.total, question).toBeGreaterThan(0);
    }
  }
});
