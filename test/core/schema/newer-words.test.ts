/** Checks that this version of the program reads an index whose words a later version has extended: new states, reasons, types of events. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { today } from '../../../src/core/day.ts';
import { parseForeign } from '../../../src/core/parse-document.ts';
import { knownWords } from '../../../src/core/phrases.ts';
import { parsePublished, publishedSchemas } from '../../../src/core/schema/documents.ts';
import { FreshnessState, severities, states } from '../../../src/core/schema/published.ts';
import { openSite } from '../../../src/core/site-reader.ts';
import { openIndex } from '../../../src/ask/published-index.ts';
import { runCli } from '../../harness/cli.ts';
import { loadExample } from '../../harness/example.ts';
import { buildFolder, readFiles, renderFiles, writeIndex } from '../../harness/components.ts';
import { createFolder } from '../../harness/index-folder.ts';
import { release } from '../../harness/judging.ts';
import { openTools } from '../../harness/mcp-client.ts';

interface Parts {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
}

const partsOf = (schema: z.ZodType) => schema._zod.def as unknown as Parts;

/** Returns the schema without `optional`, `readonly` and the like. */
function unwrap(schema: z.ZodType): z.ZodType {
  const { innerType } = partsOf(schema);
  return innerType ? unwrap(innerType) : schema;
}

/** Tells whether a schema expects a word of a fixed list. */
function expectsWord(schema: z.ZodType): boolean {
  const { entries, values = [] } = partsOf(unwrap(schema));
  return entries !== undefined || typeof values[0] === 'string';
}

/** Lists the places of a schema that expect a word of a fixed list: `lines[].state`. */
function listWords(schema: z.ZodType, path = ''): string[] {
  const { shape = {}, element, valueType, options = [] } = partsOf(unwrap(schema));
  return [
    ...(expectsWord(schema) ? [path] : []),
    ...Object.entries(shape).flatMap(([key, value]) => listWords(value, `${path}.${key}`)),
    ...[element, valueType].flatMap((each) => (each ? listWords(each, `${path}[]`) : [])),
    ...options.flatMap((option) => listWords(option, path)),
  ];
}

/** Returns a document in which each place that expects a word has the word `later-word`. Adds the places to `reached`. */
function replaceWords(schema: z.ZodType, value: unknown, reached: Set<string>, path = ''): unknown {
  const { shape, element, valueType } = partsOf(unwrap(schema));
  if (expectsWord(schema)) {
    reached.add(path);
    return 'later-word';
  }
  if (Array.isArray(value) && element) {
    return value.map((each) => replaceWords(element, each, reached, `${path}[]`));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }

  const replaced = Object.entries(value).map(([key, each]) => {
    const inner = shape?.[key] ?? valueType;
    const place = valueType ? `${path}[]` : `${path}.${key}`;
    return [key, inner ? replaceWords(inner, each, reached, place) : each] as const;
  });
  const words = Object.entries(shape ?? {}).filter(([, each]) => expectsWord(each));
  // An optional word that the document does not have is added.
  const added = words.map(
    ([key, each]) => [key, replaceWords(each, '', reached, `${path}.${key}`)] as const,
  );
  return Object.fromEntries([...replaced, ...added]);
}

const root = writeIndex({
  db: {
    definition: {
      advisories: [{ id: 'CVE-2026-1', affected: '<18.6', severity: 'high' }],
      deprecated: [{ versions: ['18.5'], reason: 'Broken' }],
      support: { policy: 'dated', lines: { '17': '2026-02-01', '18': '2099-01-01' } },
    },
    releases: [
      release('17.5', '2026-01-01'),
      release('18.5', '2026-01-01'),
      release('18.6', '2026-01-02'),
    ],
  },
});
buildFolder(root, today());
const site = join(root, 'dist');

/** Finds the schema of a published document by its path. */
function findSchema(path: string): z.ZodType | undefined {
  const [name = ''] = path.split(/[/.]/);
  return path.endsWith('.json')
    ? (publishedSchemas as Readonly<Record<string, z.ZodType>>)[name]
    : undefined;
}

/** Documents of the example with parts that the example lacks. */
const documents = (() => {
  const files = [...renderFiles(loadExample())].filter(([path]) => findSchema(path));
  const found = files.map(([path, text]) => ({ path, value: JSON.parse(text) }));
  const status = found.find(({ path }) => path === 'status.json')!.value;
  const trouble = { component: 'svc', source: 'npm:svc', reason: 'failed', at: status.lastRun.at };
  const lastRun = { ...status.lastRun, troubles: [trouble] };
  status.components.svc = { ...status.components.svc, mayMiss: ['ends'], packages: [{ purl: '' }] };
  const details = JSON.parse(readFileSync(join(site, 'details/db.json'), 'utf8'));
  return [
    ...found,
    { path: 'details/db.json', value: details },
    { path: 'latest/db.json', value: details.releases[0] },
    { path: 'status.json', value: { ...status, lastRun } },
    { path: 'builds/2026.json', value: { builds: [lastRun] } },
  ];
})();

// The program does not read the documents that it signs.
const { 'release-statement': _, ...readSchemas } = publishedSchemas;

test.each(Object.entries(readSchemas).filter(([, each]) => listWords(each).length > 0))(
  'documents with the schema "%s" are read, even if each word of a fixed list is unknown',
  (name, schema) => {
    const reached = new Set<string>();
    for (const { value } of documents.filter(({ path }) => findSchema(path) === schema)) {
      const newer = replaceWords(schema, value, reached);
      expect(parseForeign(schema, newer, name)).toStrictEqual(newer);
    }
    expect([...reached].sort()).toStrictEqual([...new Set(listWords(schema))].sort());
  },
);

test('a number or a list in place of a word is rejected', () => {
  for (const state of [7, ['supported'], null]) {
    const details = JSON.parse(readFileSync(join(site, 'details/db.json'), 'utf8'));
    details.lines[0].state = state;
    expect(() => parsePublished(JSON.stringify(details), 'details/db.json')).toThrow(
      'details/db.json cannot be read: lines[0].state: expected one of',
    );
  }
});

test('the words that policies know are those of the schemas', () => {
  expect(knownWords).toStrictEqual({
    state: expect.arrayContaining([...states]),
    freshness: FreshnessState.options,
    timestampKind: ['published', 'observed'],
    severity: [...severities],
  });
  expect(knownWords.state).toHaveLength(states.length);
});

describe('an index whose words are all unknown', () => {
  const newer = createFolder();
  cpSync(site, newer, { recursive: true });
  for (const [path, text] of readFiles(site)) {
    const schema = findSchema(path);
    if (schema) {
      const value = replaceWords(schema, JSON.parse(text), new Set());
      writeFileSync(join(newer, path), JSON.stringify(value));
    }
    if (path.startsWith('search/')) {
      const part = JSON.parse(text);
      part.components.db.columns.state = { values: ['later-word'] };
      writeFileSync(join(newer, path), JSON.stringify(part));
    }
  }
  const { policies } = JSON.parse(readFileSync(join(site, 'policies.json'), 'utf8'));
  const byState = { name: 'by-state', isBuiltIn: false, description: 'By state', remediation: '' };
  policies.push({ ...byState, query: 'state:supported' });
  writeFileSync(join(newer, 'policies.json'), JSON.stringify({ policies }));
  const list = join(createFolder(), 'list.txt');
  writeFileSync(list, 'db 18.6');

  test('scan judges by isSupported, and only policies about the words cannot tell', async () => {
    const supported = await runCli(['scan', list, '--policy', 'supported', '--out', newer]);
    expect(supported).toMatchObject({ status: 0, stderr: '' });
    expect(supported.stdout).toContain('Supported');
    const about = await runCli(['scan', list, '--policy', 'by-state', '--out', newer]);
    expect(about.status).toBe(3);
    expect(about.stdout).toContain('db 18.6 has the state "later-word" of a later version');
  });

  test.each([
    { words: ['search', 'db'], text: 'Later word' },
    { words: ['explain', 'db', '18.6'], text: 'The db 18.6 is supported until 2099-01-01.' },
    { words: ['explain', 'db', '17.5'], text: 'Move to 18.6 now.' },
  ])('$words prints no missing word', async ({ words, text }) => {
    const { status, stdout } = await runCli([...words, '--out', newer]);
    expect(status).toBe(0);
    expect(stdout).toContain(text);
    expect(stdout).not.toContain('undefined');
  });

  test('the MCP tools pass the words on', async () => {
    const client = await openTools(openIndex(openSite(newer)));
    const answer = await client.callTool('check_versions', { text: 'db 18.6' });
    await client.close();
    expect(JSON.stringify(answer)).toContain('later-word');
    expect(JSON.stringify(answer)).not.toContain('undefined');
  });
});
