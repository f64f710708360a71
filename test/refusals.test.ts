import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { ask } from '../src/ask/answers/ask.ts';
import { askExactly } from '../src/ask/answers/ask-exactly.ts';
import { openIndex } from '../src/ask/answers/published-index.ts';
import { searchReleases } from '../src/ask/answers/search-releases.ts';
import { scanEntries, parsePublishedPolicy } from '../src/ask/scan/scan-items.ts';
import { identify } from '../src/ask/texts/identify.ts';
import { uniqueEntries } from '../src/ask/texts/items.ts';
import { readText } from '../src/ask/texts/read-text.ts';
import { documentsIn } from '../src/deliver/publish/index-documents.ts';
import { parseDocument } from '../src/io/files/read-documents.ts';
import { WrittenDefinition } from '../src/record/read-definition.ts';
import { datasources, type TypedSource } from '../src/record/sources/index.ts';
import { readJournalLines } from '../src/io/files/journal-files.ts';
import { parseChallenge } from '../src/io/http/bearer-tokens.ts';
import { SiteConfig } from '../src/core/schemas/definition/site-config.ts';
import { JournalEvent } from '../src/core/schemas/recorded/journal.ts';
import { RecordedData } from '../src/core/schemas/recorded/recorded.ts';
import { nextLink } from '../src/record/sources/shared/requests.ts';
import { packageFinder } from '../src/cli/find-packages.ts';
import { pinFinder } from '../src/cli/find-pins.ts';
import { commentManager } from '../src/site/render/renovate/places.ts';
import { apiOf } from './harness/api.ts';
import { ask as askSource } from './harness/asking.ts';
import { fixtureDay } from './harness/checkout.ts';
import { definition, temporaryFolder } from './harness/root.ts';
import { siteOfFixtureIndex } from './harness/site.ts';
import { answer, type Handler } from './harness/upstream.ts';

const folder = siteOfFixtureIndex();
const index = openIndex(documentsIn(folder), undefined, () => fixtureDay);
const api = apiOf(folder);

/** Texts that take an expression long, as they nearly match from each of their places. */
const texts: Readonly<Record<string, (length: number) => string>> = {
  colons: (length) => 'a:'.repeat(length / 2),
  spaces: (length) => `a${' '.repeat(length - 2)}b`,
  digits: (length) => '1.'.repeat(length / 2),
  ranges: (length) => `a${'>=1 '.repeat(length / 4)}`,
  signs: (length) => `svc ${'~>='.repeat(length / 3)}`,
  'line ends': (length) => '>\n'.repeat(length / 2),
  hyphens: (length) => `1.0${'-'.repeat(length)}!`,
  slashes: (length) => `https://${'/a@'.repeat(length / 3)}`,
  accents: (length) => 'e\u0301'.repeat(length / 2),
  brackets: (length) => '[a]('.repeat(length / 4),
  'percent signs': (length) => `pkg:npm/${'%41'.repeat(length / 3)}`,
};

type Door = (text: string) => unknown;

async function scan(text: string, file = 'bom.json'): Promise<void> {
  const { entries } = readText(text, 20 * 2 ** 20, file);
  const { policies } = JSON.parse((await documentsIn(folder).read('policies.json'))!) as {
    policies: Parameters<typeof parsePublishedPolicy>[0][];
  };
  const read = policies.map((policy) => parsePublishedPolicy(policy, fixtureDay));
  await scanEntries(uniqueEntries(entries), read, { index, day: fixtureDay });
}

const bill = (component: object) =>
  JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components: [component] });

const doors: Readonly<Record<string, Door>> = {
  'a question': (text) => ask(index, text),
  'a name of a program': (text) => askExactly(index, text),
  'a version of a program': (text) => askExactly(index, 'svc', text),
  'a query': (text) => searchReleases(index, text, fixtureDay),
  'a list': async (text) => identify(index, readText(text, 2 ** 20)),
  'a name to scan': (text) => scan(bill({ name: text, version: '1' })),
  'a version to scan': (text) => scan(bill({ name: 'svc', version: text })),
  'a package URL to scan': (text) => scan(bill({ name: 'svc', purl: `pkg:npm/${text}@1` })),
  'a digest to scan': (text) =>
    scan(bill({ name: 'svc', version: '1', hashes: [{ alg: text, content: text }] })),
  'a document to scan': (text) => scan(text),
  'requirements of pip': (text) => identify(index, readText(text, 2 ** 20, 'requirements.txt')),
  'a range of a lock file': (text) =>
    identify(index, readText(JSON.stringify({ dependencies: { svc: text } }), 2 ** 20)),
  'properties of a pom.xml': (text) => readText(pomWith(text), 2 ** 20),
  'a path of the API': (text) => api(`/api/components/${encodeURIComponent(text)}`),
  'a query of the API': (text) => api(`/api/releases?query=${encodeURIComponent(text)}`),
  'a parameter of the API': (text) => api(`/api/releases?${encodeURIComponent(text)}=1`),
  'an edited value': (text) => edit(definition({ title: text, homepage: text })),
  'an edited key': (text) => edit(definition({ [text]: 1 })),
  'an edited address': (text) => edit(definition({ homepage: `https://a.example/${text}` })),
  'an edited source': (text) =>
    edit(
      definition({ sources: [{ datasource: 'npm', packageName: text, allowedVersions: text }] }),
    ),
  'a broken file': (text) => parseDocument(Buffer.from(text), 'data/svc.json', RecordedData),
  'a setting': (text) => parse('site/site.json', SiteConfig, { title: text, [text]: text }),
  'a recorded value': (text) =>
    parse('data/svc.json', RecordedData, { releases: [{ version: text, source: text }] }),
  'a line of a journal': (text) => {
    writeFileSync(journal, `${JSON.stringify({ id: 1, type: text, version: text })}\n`);
    readJournalLines(journal, 'data/journal/svc.ndjson', JournalEvent);
  },
  'a version below a comment': (text) => pinsIn('pom.xml', `${comment} -->\n<a.${text}`),
  'the line below a comment': (text) => pinsIn('a.yml', `${comment}\n${text}`),
  'a file with packages': (text) => packagesIn('.github/workflows/a.yml', text, () => []),
  'a media type': (text) => api('/api/releases', { headers: { accept: visible(text) } }),
  'a tag': (text) => api('/api/components/svc', { headers: { 'if-none-match': visible(text) } }),
  'a challenge of a registry': (text) => parseChallenge(`Bearer ${text}`),
  'a link of a registry': (text) =>
    nextLink({ url: 'https://a.example', headers: new Map([['link', visible(text)]]) }),
};

/** What a header can hold. */
function visible(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, 'x').trim();
}

/** Each property names another many times. */
function pomWith(text: string): string {
  const names = '${a}'.repeat(250);
  const property = `<a>${names}</a>`;
  const dependency = `<dependency><groupId>g</groupId><artifactId>a</artifactId><version>${names}</version></dependency>`;

  return `<project><properties>${property}</properties>${dependency.repeat(text.length / 2000)}</project>`;
}

const comment = '# renovate: datasource=custom.release-index depName=svc';
const pinsIn = pinFinder({
  datasource: 'custom.release-index',
  components: new Set(['svc']),
  managers: [commentManager('custom.release-index')],
});
const packagesIn = await packageFinder(index);
const journal = join(temporaryFolder(), 'svc.ndjson');

function parse(path: string, schema: z.ZodType, document: object): void {
  parseDocument(Buffer.from(JSON.stringify(document)), path, schema);
}

function edit(document: object): void {
  parse('components/svc.json', WrittenDefinition, document);
}

/** Answers everything with documents whose values are the text. */
function hostile(text: string): Handler {
  const value = JSON.stringify(text);
  const keys = ['name', 'versions', 'time', 'tags', 'releases', 'files', 'info', 'results', 'data'];
  const members = keys.map((key) => `"${key}": ${value}`).join(',');
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const xml = `<metadata><versioning><versions><version>${escaped}</version></versions></versioning></metadata>`;

  return (request, response) => {
    const accepted = request.headers.accept ?? '';

    if (accepted.includes('json')) {
      const type = accepted.split(/[,;]/).find((each) => each.includes('json'))!;
      return answer(response, 200, type.trim(), `{${members}}`);
    }

    const type = accepted.split(/[,;]/)[0]!.trim();
    const body = type.includes('xml') ? xml : `<html>${escaped}</html>\n${text}`;

    return answer(response, 200, type.includes('*') ? 'text/plain' : type, body);
  };
}

/** The CPU time of this thread in milliseconds. */
async function cpuOf(work: () => unknown): Promise<number> {
  const start = process.threadCpuUsage();
  await Promise.resolve()
    .then(work)
    .catch(() => undefined);
  const { user, system } = process.threadCpuUsage(start);

  return (user + system) / 1000;
}

/** The least of some rounds: another program on the machine only adds. */
async function leastOf(work: () => unknown): Promise<number> {
  const times: number[] = [];

  for (let round = 0; round < 5; round += 1) {
    times.push(await cpuOf(work));
  }

  return Math.min(...times);
}

/** Reading 64 kB of plain JSON twenty times over: hardly a refusal takes as long, and noise is less. */
const numbers = `[${'1,'.repeat(31_999)}1]`;
const yardstick = await leastOf(() => {
  for (let round = 0; round < 20; round += 1) {
    JSON.parse(numbers);
  }
});

/** Twice as much takes twice as long, not four times. */
async function expectLinear(door: Door, kinds = Object.keys(texts)): Promise<void> {
  for (const kind of kinds) {
    const [less, more] = [texts[kind]!(64_000), texts[kind]!(128_000)];
    const cost = await leastOf(() => door(less));
    const ratio = (await leastOf(() => door(more))) / Math.max(cost, yardstick);

    expect.soft(ratio, kind).toBeLessThan(3);
  }
}

test.each(Object.keys(doors))('refusing %s costs no more than reading it', async (name) => {
  await expectLinear(doors[name]!);
});

/** The packages of datasources whose packages have another form. */
const packages: Partial<Record<TypedSource['datasource'], (url: string) => string>> = {
  maven: () => 'com.example:agent',
  'git-tags': (url) => `${url}agent.git`,
};

test.each(datasources.map(({ datasource }) => datasource).filter((name) => name !== 'static'))(
  'refusing an answer for %s costs no more than reading it',
  async (datasource) => {
    const sourceAt = (url: string) =>
      ({
        datasource,
        packageName: packages[datasource]?.(url) ?? 'example/agent',
        registryUrl: url,
        url: `${url}list`,
        matchStrings: ['version (?<version>\\S+)'],
      }) as unknown as TypedSource;

    await expectLinear(
      (text) => askSource(sourceAt, { handler: () => hostile(text) }),
      ['colons', 'spaces', 'digits', 'line ends'],
    );
  },
);
