/**
 * Checks the punctuation of all texts that readers see: in data, templates, help, messages and
 * published files.
 */
import { globSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';
import { readPolicies } from '../../src/site/policies.ts';
import { runCli, verbs } from '../harness/cli.ts';
import { buildFolder, readFiles, writeIndex } from '../harness/components.ts';
import { program } from '../harness/example.ts';
import { readText } from '../harness/html.ts';
import { buildExample } from '../harness/site.ts';
import { readDocument } from './list.ts';

/**
 * Matches doubled punctuation: `a., b`, `a..`, `a!.`, `a, , b`. It does not match `a …`, `a...` or
 * `../a`.
 */
const fault = /[.…,;:] ?[,;]|(?<!\.)[.!?…,;:]\.(?![.\w/])/;

/** Returns the texts of at least two words that have doubled punctuation. */
function listFaults(texts: readonly Text[]): Text[] {
  return texts.filter(([, text]) => /[a-z] \(?[a-z]/.test(text) && fault.test(text));
}

type Text = readonly [place: string, text: string];

test.each([
  ['The release is supported., and it is not deprecated.', true],
  ['The release is supported..', true],
  ['Deletes files!.', true],
  ['It is old; , so move.', true],
  ['It is old.', false],
  ['Versions >=1.2.3, such as 1.4', false],
  ['The folder ../a and the range a..b', false],
  ['It goes on…', false],
])('finds doubled punctuation in a text: %j', (text, isFaulty) => {
  expect(listFaults([['', text]]).length > 0).toBe(isFaulty);
});

/** Returns the string literals of a source file. An `X` replaces each inserted value. */
function listLiterals(path: string): Text[] {
  const texts: Text[] = [];
  walk(parseAst(readDocument(path), { lang: 'ts' }), (node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') {
      texts.push([path, node.value]);
    }
    if (node.type === 'TemplateLiteral') {
      texts.push([path, node.quasis.map(({ value }: any) => value.cooked).join('X')]);
    }
  });
  return texts;
}

function walk(node: any, visit: (node: any) => void): void {
  if (typeof node?.type === 'string') {
    visit(node);
  }
  for (const child of Object.values(node ?? {})) {
    if (typeof child === 'object') {
      walk(child, visit);
    }
  }
}

/** Returns the texts of a JSON document, each with its path of keys. */
function listValues(path: string, json: string): Text[] {
  const texts: Text[] = [];
  const read = (place: string, value: unknown): void => {
    if (typeof value === 'string') {
      texts.push([place, value]);
    } else {
      for (const [key, member] of Object.entries(value ?? {})) {
        read(`${place} ${key}`, member);
      }
    }
  };
  read(path, JSON.parse(json));
  return texts;
}

/** Returns the texts of a page or a template. An `X` replaces code and inserted values. */
function listParagraphs(path: string, html: string): Text[] {
  const text = html
    .replaceAll(/<(script|style|pre|code)\b[^]*?<\/\1>|\{\{[^]*?\}\}/g, 'X')
    .replaceAll(/<(?=\/?(?:a|b|bdi|q|span|time|abbr)\b)[^>]+>/g, '')
    .replaceAll(/<[^>]+>/g, '\n');
  return text.split('\n').map((line) => [path, readText(line).trim()]);
}

function listTexts([path, content]: readonly [string, string]): Text[] {
  return path.endsWith('.json') ? listValues(path, content) : listParagraphs(path, content);
}

test('the texts of the program, its data, templates and help have no doubled punctuation', async () => {
  const find = (pattern: string) => globSync(pattern, { cwd: program }).sort();
  const written = [...find('site/*.json'), ...find('site/{templates,starter}/**/*.{hbs,md}')];
  const help = await Array.fromAsync(['', ...verbs], async (verb): Promise<Text[]> => {
    const { stdout } = await runCli([verb, '--help'].filter(Boolean));
    return stdout.split('\n').map((line) => [`${verb} --help`, line]);
  });
  const literals = find('src/**/*.ts').flatMap(listLiterals);
  const texts = written.flatMap((path) => listTexts([path, readDocument(path)]));

  expect(listFaults([...literals, ...texts, ...help.flat()])).toEqual([]);
  expect(literals.length).toBeGreaterThan(5000);
});

const isSentence = (text: string) => /[^.!?…,;:\s][.!?…]$/.test(text);

test('the description and the remediation of a policy are sentences, each with one full stop at the end', () => {
  const words = readPolicies(program, program).flatMap(({ description, remediation }) => [
    description,
    remediation,
  ]);

  expect(words.filter((text) => !isSentence(text) || fault.test(text))).toEqual([]);
});

/**
 * An index whose owner and upstreams end their texts with no mark, or with `.`, `!`, `…` or `?`.
 */
const odd = writeIndex(
  Object.fromEntries(
    ['', '.', '!', '…', '?'].map((end, place) => [
      `tool-${place}`,
      {
        definition: {
          description: `What it does${end}`,
          deprecated: [{ versions: '=1.0.0', reason: `It deletes files${end}` }],
          support: {
            ...{ policy: 'term', months: 12 },
            lines: { '1.0': { until: '2026-12-01', reason: `We promised it${end}` } },
          },
        },
        releases: [
          { version: '1.0.0', deprecated: `Use another${end}`, releaseTimestamp: '2026-01-01' },
          { version: '1.0.1', releaseTimestamp: '2026-02-01' },
          { version: '2.0.0', deprecated: `Use 1.0.1${end}`, releaseTimestamp: '2026-03-01' },
        ].map((each) => ({ ...each, firstSeen: '2026-03-01', sources: [] })),
      },
    ]),
  ),
);
buildFolder(odd, '2026-11-27');

/** Matches the paths of JSON values that must be sentences. The last part of a path is the key of the value, such as `advice`. */
const sentences = / (?:sentence|advice|because \d+|remediation|support description)$/;

test.each([
  ['the example', buildExample()],
  ['an index with odd texts', `${odd}/dist`],
])('each sentence that %s publishes ends with exactly one punctuation mark', (_, folder) => {
  const files = [...readFiles(folder)].filter(([path]) =>
    // The files for Renovate, the schemas and openapi.json are left out, because they contain regular expressions and commands.
    /^(?!renovate|schema|openapi).*\.(?:json|html|atom|ics)$/.test(path),
  );
  const texts = files.flatMap(listTexts);

  expect(listFaults(texts)).toEqual([]);
  const ends = texts.filter(([place]) => sentences.test(place));
  expect(ends.filter(([, text]) => !isSentence(text))).toEqual([]);
  expect(ends.length).toBeGreaterThan(20);
});
