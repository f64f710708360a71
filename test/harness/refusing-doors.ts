import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { ask } from '../../src/ask/answers/ask.ts';
import { resolveExact } from '../../src/ask/answers/resolve.ts';
import { askExactly } from '../../src/ask/answers/version-answer.ts';
import { openIndex } from '../../src/ask/answers/published-index.ts';
import { searchByQuery } from '../../src/ask/search/search-releases.ts';
import {
  defaultPolicies,
  findPolicyNamed,
  parsePublishedPolicy,
} from '../../src/ask/scan/scan-policies.ts';
import { scanEntries } from '../../src/ask/scan/scan-items.ts';
import { checkVersionsTool } from '../../src/ask/server/mcp/check-versions-tool.ts';
import { identifyExactly, identifyForPerson } from '../../src/ask/texts/identify.ts';
import { readText } from '../../src/ask/texts/read-text.ts';
import { SiteConfig } from '../../src/core/schemas/definition/site-config.ts';
import { JournalEvent } from '../../src/core/schemas/recorded/journal.ts';
import { RecordedData } from '../../src/core/schemas/recorded/recorded.ts';
import { openDocumentsIn } from '../../src/deliver/publish/index-documents.ts';
import { parseDocument } from '../../src/io/files/read-documents.ts';
import { readLines } from '../../src/io/files/read-lines.ts';
import { parseChallenge } from '../../src/io/http/bearer-tokens.ts';
import { WrittenDefinition } from '../../src/record/read-definition.ts';
import { findNextLink } from '../../src/record/sources/shared/requests.ts';
import { apiOf } from './api.ts';
import { sourceForPerson } from './person.ts';
import { definition, temporaryFolder } from './root.ts';
import { uniqueEntries } from './scanning.ts';

/** Texts that take an expression long, as they nearly match from each of their places. */
export const texts: Readonly<Record<string, (length: number) => string>> = {
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
  'short lines': (length) => 'a\n'.repeat(length / 2),
  'short items': (length) => 'a 1,'.repeat(length / 4),
  'a manifest': (length) => `{"dependencies": {${repeated(length, (at) => `"${at}":"1"`)}}}`,
  charts: (length) => `apiVersion: v2\ndependencies:\n${'- name: a\n'.repeat(length / 10)}`,
  'a pom.xml': (length) => '<plugin><artifactId>a</artifactId></plugin>'.repeat(length / 43),
};

/** Different parts with commas between them. */
function repeated(length: number, part: (at: number) => string): string {
  return Array.from({ length: length / 10 }, (_, at) => part(at)).join(',');
}

export type Door = (text: string) => unknown;

/** Every place that reads a foreign text, for the index in a folder. */
export async function openDoors(folder: string, day: string): Promise<Record<string, Door>> {
  const index = openIndex(openDocumentsIn(folder), { today: () => day });
  const api = apiOf(folder);

  async function scan(text: string): Promise<void> {
    const { entries } = await readText(index, text, 20 * 2 ** 20);
    const { policies } = JSON.parse((await openDocumentsIn(folder).read('policies.json'))!) as {
      policies: Parameters<typeof parsePublishedPolicy>[0][];
    };
    const read = defaultPolicies
      .map((name) => findPolicyNamed(policies, name))
      .map((policy) => parsePublishedPolicy(policy, day));
    await scanEntries(uniqueEntries(entries), read, index);
  }

  async function identifyAll(text: string): Promise<void> {
    const read = await readText(index, text, 2 ** 20);
    await identifyForPerson(sourceForPerson(index), read);
    await identifyExactly(index, read);
  }

  const bill = (component: object) =>
    JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components: [component] });

  return {
    'a question': (text) => ask(index, text),
    'a name of a program': (text) => resolveExact(index, text),
    'a version of a program': (text) => askExactly(index, 'svc', text),
    'a query': (text) => searchByQuery(index, text, day),
    'a list': (text) => identifyAll(text),
    'a name to scan': (text) => scan(bill({ name: text, version: '1' })),
    'a version to scan': (text) => scan(bill({ name: 'svc', version: text })),
    'a package URL to scan': (text) => scan(bill({ name: 'svc', purl: `pkg:npm/${text}@1` })),
    'a digest to scan': (text) =>
      scan(bill({ name: 'svc', version: '1', hashes: [{ alg: text, content: text }] })),
    'a document to scan': (text) => scan(text),
    'a range of a manifest': (text) => identifyAll(JSON.stringify({ dependencies: { svc: text } })),
    'properties of a pom.xml': (text) => identifyAll(pomWith(text)),
    'a text behind a name': (text) => identifyAll(`svc ${text}`),
    'a list of names': (text) => identifyAll(text.replaceAll('a', 'svc').slice(0, text.length)),
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
      readLines(journal, 'data/journal/svc.ndjson', JournalEvent);
    },
    'a list of the API': (text) => api(`/api/plan?with=${encodeURIComponent(text)}`),
    'a list of a tool': async (text) => checkVersionsTool.answer({ text }, { index, day }),
    'a media type': (text) => api('/api/releases', { headers: { accept: visible(text) } }),
    'a tag': (text) => api('/api/components/svc', { headers: { 'if-none-match': visible(text) } }),
    'a challenge of a registry': (text) => parseChallenge(`Bearer ${text}`),
    'a link of a registry': (text) =>
      findNextLink({ url: 'https://a.example', headers: new Map([['link', visible(text)]]) }),
  };
}

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

const journal = join(temporaryFolder(), 'svc.ndjson');

function parse(path: string, schema: z.ZodType, document: object): void {
  parseDocument(Buffer.from(JSON.stringify(document)), path, schema);
}

function edit(document: object): void {
  parse('components/svc.json', WrittenDefinition, document);
}

/** The CPU time of this thread in milliseconds: the least of some rounds, as another program on the machine only adds. */
export async function leastCpu(work: () => unknown, rounds = 5): Promise<number> {
  const times: number[] = [];

  for (let round = 0; round < rounds; round += 1) {
    const start = process.threadCpuUsage();
    await Promise.resolve()
      .then(work)
      .catch(() => undefined);
    const { user, system } = process.threadCpuUsage(start);
    times.push((user + system) / 1000);
  }

  return Math.min(...times);
}
