import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkout } from '../harness/checkout.ts';
import { foreignPackages } from '../harness/install.ts';
import type { Group } from './groups.ts';

/** One change of the code. */
export interface Mutant {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

export interface Instrumented {
  /** The code of each changed file with all its mutants, each behind a switch. */
  readonly code: Readonly<Record<string, string>>;
  /** By the text of each template: the same with marks around its sentences. */
  readonly templates: Readonly<Record<string, string>>;
  readonly mutants: readonly Mutant[];
}

export const instrumentedFile = 'instrumented.json';

interface Position {
  readonly line: number;
  readonly column: number;
}

interface Instrumenter {
  instrument(
    files: readonly { name: string; content: string; mutate: true }[],
    options: { plugins: null; ignorers: never[]; excludedMutations: readonly string[] },
  ): Promise<{
    files: readonly { name: string; content: string }[];
    mutants: readonly {
      id: string;
      fileName: string;
      location: { start: Position; end: Position };
      replacement: string;
      status?: 'Ignored';
    }[];
  }>;
}

/** Neither a condition nor a comparison or a value. The compiler notices a `?.` that is gone. */
const neverChanged = [
  'ArrayDeclaration',
  'BlockStatement',
  'ObjectLiteral',
  'OptionalChaining',
  'Regex',
];
const changedConditions = [
  'ArithmeticOperator',
  'ArrowFunction',
  'AssignmentOperator',
  'BooleanLiteral',
  'CallExpression',
  'ConditionalExpression',
  'EqualityOperator',
  'LogicalOperator',
  'MethodExpression',
  'UnaryOperator',
  'UpdateOperator',
];

/** Puts the mutants of a group into its code. They come in an order by chance that stays the same. */
export async function instrumentGroup(group: Group): Promise<Instrumented> {
  const paths = globSync([...group.code], { cwd: checkout }).toSorted();
  const names = paths.filter((name) => !name.endsWith('.hbs'));
  const templates = paths
    .filter((name) => name.endsWith('.hbs'))
    .map((name) => markSentences(name, readFileSync(join(checkout, name), 'utf8')));
  const contents = new Map(names.map((name) => [name, readFileSync(join(checkout, name), 'utf8')]));

  const instrumenter = await loadInstrumenter();
  const result = await instrumenter.instrument(
    names.map((name) => ({ name, content: contents.get(name)!, mutate: true })),
    {
      plugins: null,
      ignorers: [],
      excludedMutations: [
        ...neverChanged,
        ...(group.isAboutWords ? changedConditions : ['StringLiteral']),
      ],
    },
  );

  const mutants = result.mutants
    .filter(({ status }) => status === undefined)
    .map(({ id, fileName, location, replacement }) => ({
      id,
      file: fileName,
      line: location.start.line + 1,
      before: cutCode(contents.get(fileName)!, location),
      after: replacement.replaceAll(/\s+/g, ' '),
    }))
    .filter(({ before }) => !group.isAboutWords || isSentence(before));

  return {
    code: Object.fromEntries(result.files.map(({ name, content }) => [name, content])),
    templates: Object.fromEntries(templates.map(({ text, marked }) => [text, marked])),
    mutants: [...mutants, ...templates.flatMap((template) => template.mutants)].toSorted(
      (one, other) => (hash(one) < hash(other) ? -1 : 1),
    ),
  };
}

/** A sentence that a template rendered, with the id of the mutant that removes it. */
export const markedSentence = /\uE000([^\uE001]*)\uE001([^\uE002]*)\uE002/g;

/** Puts marks around the sentences of a template, between its tags and in attributes that are read aloud. */
function markSentences(file: string, text: string) {
  const mutants: Mutant[] = [];
  const mark = (before: string, offset: number) => {
    if (!isSentence(before)) {
      return before;
    }
    const id = `${file}#${mutants.length}`;
    const line = text.slice(0, offset).split('\n').length;
    mutants.push({ id, file, line, before: before.trim(), after: '' });
    return `\uE000${id}\uE001${before}\uE002`;
  };

  const marked = text.replaceAll(
    /\{\{.*?\}\}|<style>.*?<\/style>|<[^>]*>|[^<{]+/gs,
    (part, offset: number) => {
      if (part.startsWith('<')) {
        return part.replaceAll(/(?<=(?:aria-label|placeholder)=")[^"{]+/g, (value, inTag: number) =>
          mark(value, offset + inTag),
        );
      }
      return part.startsWith('{') ? part : mark(part, offset);
    },
  );
  return { text, marked, mutants };
}

async function loadInstrumenter(): Promise<Instrumenter> {
  const programs = foreignPackages('mutants');
  const { dir } = programs.add('@stryker-mutator/instrumenter', '10.1.1');
  await programs.install();

  const { Instrumenter } = (await import(pathToFileURL(join(dir, 'dist/src/index.js')).href)) as {
    Instrumenter: new (logger: object) => Instrumenter;
  };
  const ignore = () => undefined;
  return new Instrumenter({
    debug: ignore,
    info: ignore,
    warn: console.warn,
    isDebugEnabled: () => false,
  });
}

function cutCode(content: string, { start, end }: { start: Position; end: Position }): string {
  const lines = content.split('\n').slice(start.line, end.line + 1);
  lines[lines.length - 1] = lines.at(-1)!.slice(0, end.column);
  lines[0] = lines[0]!.slice(start.column);
  return lines.join('\n').replaceAll(/\s+/g, ' ');
}

/** Two words in a row, of which neither is code. Markup and the classes of a bar are none. */
function isSentence(text: string): boolean {
  const words = text.replaceAll(/<\w+ [^>]*>/g, '').replaceAll(/\$\{[^}]*\}/g, '$$$$');
  return !/^(?:[`'"]<|'bar )/.test(text) && /[a-z]{2,},? [a-z$]{2,}/i.test(words);
}

function hash({ file, before, after, id }: Mutant): string {
  return createHash('sha256').update(`${file} ${before} ${after} ${id}`).digest('hex');
}
