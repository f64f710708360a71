import { expect, test } from 'vitest';
import { ask, askExactly } from '../src/ask/answers/ask.ts';
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
import { apiOf } from './harness/api.ts';
import { ask as askSource } from './harness/asking.ts';
import { fixtureDay } from './harness/checkout.ts';
import { definition } from './harness/root.ts';
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
};

type Door = (text: string) => unknown;

async function scan(text: string): Promise<void> {
  const { entries } = readText(text, 20 * 2 ** 20, 'bom.json');
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
  'a document to scan': (text) => scan(text),
  'a path of the API': (text) => api(`/api/components/${encodeURIComponent(text)}`),
  'a query of the API': (text) => api(`/api/releases?query=${encodeURIComponent(text)}`),
  'a parameter of the API': (text) => api(`/api/releases?${encodeURIComponent(text)}=1`),
  'an edited value': (text) => edit(definition({ title: text, homepage: text })),
  'an edited key': (text) => edit(definition({ [text]: 1 })),
};

function edit(document: object): void {
  parseDocument(Buffer.from(JSON.stringify(document)), 'components/svc.json', WrittenDefinition);
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

async function leastOf(door: Door, text: string): Promise<number> {
  const times: number[] = [];

  for (let round = 0; round < 2; round += 1) {
    times.push(await cpuOf(() => door(text)));
  }

  return Math.min(...times);
}

/** Four times as much takes four times as long, not sixteen. Below 100 ms, the noise is greater than the growth. */
async function expectLinear(door: Door): Promise<void> {
  for (const [kind, text] of Object.entries(texts)) {
    const [less, more] = [text(64_000), text(256_000)];
    const cost = await leastOf(door, less);
    const ratio = (await leastOf(door, more)) / Math.max(cost, 100 / 8);

    expect(ratio, kind).toBeLessThan(8);
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

    await expectLinear((text) => askSource(sourceAt, { handler: () => hostile(text) }));
  },
);
