/** Checks README.md in this folder: each requirement names its tests, and the tables in "Names and words" agree with the program. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { describeProblems } from '../../src/core/parse-document.ts';
import { AccessConfig, AccessKey } from '../../src/core/schema/access.ts';
import type { Run } from '../../src/core/schema/recorded.ts';
import { Denied } from '../../src/serve/access/denied.ts';
import {
  createBuildMessage,
  describeBuild,
  listEventMessages,
} from '../../src/serve/builds/builds.ts';
import { buildFields } from '../../src/serve/builds/fields.ts';
import runDocument from '../fixtures/builds.json' with { type: 'json' };
import { openSiteApi } from '../harness/api.ts';
import { contract, readNames } from '../harness/contract.ts';
import { loadExample, program } from '../harness/example.ts';
import { buildExample } from '../harness/site.ts';

const folder = import.meta.dirname;
const readText = (path: string) => readFileSync(resolve(folder, path), 'utf8');
const list = readText('README.md');

const cell = String.raw`\s*\|\s*`;
const rows = Array.from(
  list.matchAll(
    new RegExp(
      `^${['', String.raw`(\d+)`, '(.+?)', '(yes|partly|no)', '(.+?)'].join(cell)}\\s*\\|$`,
      'gm',
    ),
  ),
  ([, number, requirement = '', answer = '', shown = '']) => {
    const links = shown.matchAll(/(`+) ?([^`]+|.+?) ?\1 in \[[^\]]+\]\(([^)]+)\)/g);
    return {
      number: Number(number),
      requirement,
      answer,
      tests: Array.from(
        links,
        ([, , words = '', path = '']) => [path, words.replaceAll('\\|', '|')] as const,
      ),
      note: /\)\. (.+)$/.exec(shown)?.[1] ?? '',
    };
  },
);

test('the specification has each requirement once and in order, and its title and CONTRACT count them', () => {
  const numbers = rows.map(({ number }) => number);
  const counted = [list, contract].map((text) => /(\d+) requirements/.exec(text)?.[1]);

  // A removed requirement leaves a gap, because other texts refer to the numbers of the others.
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(numbers).toHaveLength(list.match(/^\|\s*\d+\s*\|/gm)!.length);
  expect(new Set(rows.map(({ requirement }) => requirement)).size).toBe(numbers.length);
  expect(counted).toEqual([`${numbers.length}`, `${numbers.length}`]);
});

const squeeze = (text: string) => text.replaceAll(/\s+/g, ' ');

test('each requirement of the specification quotes words that its test files contain', () => {
  const missing = rows.flatMap(({ number, tests }) =>
    tests
      .filter(([path, words]) => !squeeze(readText(path)).includes(squeeze(words)))
      .map(([path, words]) => `${number}: ${words} in ${path}`),
  );

  expect(missing).toEqual([]);
  expect(rows.filter(({ tests }) => tests.length === 0)).toEqual([]);
});

test('the specification explains each requirement that does not hold', () => {
  for (const { requirement, answer, note } of rows) {
    expect(note !== '' || answer === 'yes', requirement).toBe(true);
    expect(note.startsWith('Left out: '), requirement).toBe(answer === 'no');
  }
});

/* These tests compare the tables in the section "Names and words" with the program. */

/** Returns the rows of the table below a heading, without its header. */
function readTable(heading: string): string[][] {
  const [section = ''] = list.split(`\n### ${heading}\n`)[1]!.split(/^##/m);
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((text) => text.trim()),
  );
}

const site = buildExample();
const ask = openSiteApi(site);
const { components, runs } = loadExample();

interface Operation {
  parameters?: { in: string; name: string }[];
  requestBody?: { content: { 'application/json': { schema: { properties: object } } } };
  security?: { bearer?: string[] }[];
}

const openapi = JSON.parse(readFileSync(join(site, 'openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties: Record<string, any> }> };
};

test('the operations of the API have the parameters and permissions that the specification lists', () => {
  const operations = Object.entries(openapi.paths)
    // Files, and lines in the format of endoflife.date's API, are not part of the specification.
    .filter(([path]) => !path.endsWith('.json') && !path.startsWith('/api/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [], requestBody, security }]) => {
        const body = requestBody?.content['application/json'].schema.properties ?? {};
        const named = parameters.filter((parameter) => parameter.in !== 'path');
        return [
          `${method.toUpperCase()} ${path}`,
          security?.[1]?.bearer ?? [],
          [...named.map(({ name }) => name), ...Object.keys(body)],
        ];
      }),
    );
  const listed = readTable('Operations').flatMap(([operation, permission, names]) => {
    const [line = ''] = readNames(operation!);
    const lines = new Set([line, line.replace('/{namespace}', '')]);
    return Array.from(lines, (each) => [each, readNames(permission!), readNames(names!)]);
  });

  expect(listed.sort()).toEqual(operations.sort());
});

test('documents have the fields that the specification lists', async () => {
  const [, run] = runDocument.builds as unknown as [Run, Run];
  const events = listEventMessages(run).map(({ data }) => data as Record<string, any>);
  const access = { users: [{ username: 'jane' }] };
  const metadata = '/.well-known/oauth-protected-resource/mcp';
  const { schemas } = openapi.components;
  const accessSchema = JSON.parse(readText('../../site/schema/access.json'));
  const { externalOauth } = accessSchema.properties.accessControl.properties;
  const file = JSON.parse(readFileSync(join(site, 'svc.json'), 'utf8')) as { releases: object[] };
  const documents: Record<string, object> = {
    'message `Build`': createBuildMessage(run).data,
    'message `BuildEvent`': events[0]!,
    '`type` of an event': events[0]!['type'],
    ...Object.fromEntries(
      events.map(({ type, data }) => [`\`data\` of \`${type.eventType}\``, data]),
    ),
    'item of `/api/builds`': describeBuild(run),
    'metadata of `/mcp`': (await (await openSiteApi(site, { access })(metadata)).json()) as object,
    issuer: externalOauth.properties.issuers.items.properties,
    'access key, as it is stored': AccessKey.shape,
    'result of a scan': schemas['PolicyScan']!.properties,
    envelope: schemas['Envelope']!.properties,
    'signature of an envelope': schemas['Envelope']!.properties['signatures'].items.properties,
    problem: (await (await ask('/none')).json()) as object,
    '`svc.json` of the example': file,
    'its releases': Object.assign({}, ...file.releases) as object,
  };
  const fields = Object.entries(documents).map(([name, document]) => [
    name,
    Object.keys(document).sort(),
  ]);
  const listed = readTable('Fields').map(([name, names]) => [name, readNames(names!).sort()]);

  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(fields));
});

/** All reasons for which a request is denied. The type makes sure that none is missing. */
const denials: Record<Denied['denial'], true> = {
  'no-credential': true,
  'plain-http': true,
  'invalid-token': true,
  'no-email': true,
  'wrong-domain': true,
  'no-user': true,
  'no-permission': true,
  'no-answer': true,
};

test('a rejected credential gets the error message that the specification lists', () => {
  const listed = readTable('Rejected credentials').map(([name, words]) => [
    readNames(name!)[0],
    words,
  ]);
  const answers = Object.keys(denials).map((name) => {
    const { status, message } = new Denied(name as Denied['denial']);
    return [name, `${status} ${message}`];
  });

  expect(listed).toEqual(answers);
});

const withIssuer = (issuer: object) => ({
  accessControl: {
    externalOauth: {
      issuers: [{ uri: 'https://login.example.com', restrictByDomain: false, ...issuer }],
    },
  },
});

test.each(readTable('Rejected configurations'))(
  'a rejected configuration gets the error message that the specification lists: %s',
  (text, words) => {
    const config = JSON.parse(readNames(text!)[0]!) as object;
    const isIssuer = 'accessTokenFormat' in config;
    const more = isIssuer ? withIssuer(config) : config;
    const [problem, ...others] = describeProblems(
      { users: [{ username: 'jane' }], ...more },
      AccessConfig,
    );

    expect(problem!.replace('accessControl.externalOauth.issuers[0].', '')).toBe(words);
    expect(others).toEqual([]);
  },
);

test.each(readTable('Rejected requests'))(
  'a rejected request gets the error message that the specification lists: %s',
  async (request, words) => {
    const [method = '', path = ''] = readNames(request!)[0]!.split(' ');
    const answer = await ask(path.replace('<run>', runs.at(-1)!.id), { method });
    const { detail } = (await answer.json()) as { detail: string };

    expect(`${answer.status} ${detail}`).toBe(words);
  },
);

test('builds have exactly the fields that the specification lists', () => {
  const listed = readTable('Fields of builds').flatMap(([starts, type, names]) => {
    const beginnings = starts === 'every tool' ? [''] : readNames(starts!);
    return beginnings.flatMap((start) =>
      readNames(names!).map((name) => `${type} ${start}${name}`),
    );
  });

  expect(contract).toContain(`[${listed.length} fields of the specification]`);
  expect(listed.sort()).toEqual(buildFields.map(({ type, name }) => `${type} ${name}`).sort());
});

test('the example has the components that the specification lists', () => {
  const [, names = ''] = list.split('\n### Components\n');

  expect(components.map(({ component }) => component)).toEqual(readNames(names).sort());
});

/* These tests check facts about the example and this repository. */

test('no operation of the API is deprecated so far', () => {
  expect(readText(join(site, 'openapi.json'))).not.toContain('"deprecated":true');
});

test('the daily workflow starts once a day', () => {
  expect(readText(join(program, '.github/workflows/daily.yml')).split('cron:')[1]).toMatch(
    /^ '\d{1,2} \d{1,2} \* \* \*'/,
  );
});

test('the id of a run has 13 characters', () => {
  expect(runs.length).toBeGreaterThan(3);
  expect(runs.filter(({ id }) => !/^[a-z0-9]{13}$/.test(id))).toEqual([]);
});

test('the pages of the example say which products the index covers', () => {
  for (const page of ['index.html', 'svc.html']) {
    expect(readText(join(site, page))).toMatch(
      /the server with its API and cloud-query reporting[^]*leaves out plugins that marketplaces distribute/,
    );
  }
});
