/** Some patterns of JavaScript take for ever on a text of a few lines. Each pattern of `src` takes linear time, or meets only short texts. */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { check, type VulnerableDiagnostics } from 'recheck';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';
import { mapValues } from '../src/core/objects.ts';
import { normaliseName } from '../src/core/purl.ts';
import { nameForm } from '../src/core/schema/names.ts';
import { OneLine } from '../src/core/schema/scalars.ts';
import { escapePattern } from '../src/core/text.ts';
import { maxVersionLength } from '../src/core/version.ts';

/** The patterns that take more than linear time: the length of the longest text that each one meets, and what bounds this text. */
const slow: readonly [file: string, pattern: RegExp, maxLength: number, bound: string][] = [
  ['core/parse-document.ts', /:\/\/[^\s"]*@/g, 1000, 'showValue cuts its text'],
  ['core/parse-document.ts', /(:\/\/[^\s"?]*)\?[^\s"]*/g, 1000, 'showValue cuts its text'],
  ['ask/query/values.ts', /([\d.,]+)(mo|ms|[a-z])/g, 50, 'readDuration refuses longer texts'],
  ['core/text.ts', /\B(?=(?:\d{3})+$)/g, 16, 'the digits of a whole number'],
  [
    'site/browser/query.ts',
    /^(.*?)(?:[\s@:=]+v?(\d\S*))?$/i,
    200,
    'suggestName passes no longer text',
  ],
  [
    'site/renovate/preset.ts',
    /^v?[\d.]+\D+$/i,
    maxVersionLength,
    'parseVersion refuses longer texts',
  ],
];

/** A pattern that the program builds. */
interface Built {
  /** What its expression reads beside the constants of its file. */
  variables?: Readonly<Record<string, unknown>>;
  /** The variable with a text of a definition: the pattern is built with each text of `hostileTexts`. */
  foreign?: string;
  /** Of the longest text that it meets. */
  maxLength: number;
  /** A text that takes longest: the unit is repeated up to the length. */
  text: [start: string, unit: string, end: string];
  /** Only the owner of an index writes such a pattern, for texts that come one by one. */
  isOwn?: boolean;
}

const megabyte = 2 ** 20;
/** The greatest length of an address by its schema. */
const maxAddress = 2000;

/** Texts that a definition may have where it is not read as a pattern. As patterns, they are slow or wrong. */
const hostileTexts = ['(x+x+)+y', 'x(', '[x', '*', '-', 'x-', 'x{2', '$|x', '\\'];

/** By file, in the order in which they stand in it. */
const built: Readonly<Record<string, readonly Built[]>> = {
  'ask/extract.ts': [
    {
      // The costliest one that is not refused, and the longest version that is searched.
      variables: { source: '^(?<version>.*.*.*.*a?a?a?a?a?)x', flags: undefined },
      maxLength: 64,
      text: ['', 'a', ''],
      isOwn: true,
    },
  ],
  'core/purl.ts': [{ maxLength: megabyte, text: ['pkg:npm/', '@/', '*'] }],
  'ask/query/parse.ts': [
    { variables: { word: 'and' }, maxLength: megabyte, text: ['and', ' ', 'x'] },
  ],
  'core/schema/names.ts': [{ maxLength: megabyte, text: ['a', '-', '_'] }],
  'core/schema/scalars.ts': [
    { maxLength: maxAddress, text: ['https://a', '/a', ' '] },
    { maxLength: maxAddress, text: ['https://a', '/a', ' '] },
    { variables: { nameForm }, maxLength: 1000, text: ['a', '-', '_'] },
  ],
  'core/table.ts': [
    { variables: { separator: '|' }, maxLength: megabyte, text: ['"', '|""', '"'] },
  ],
  'core/version.ts': [{ maxLength: maxVersionLength, text: ['', '.a', '-'] }],
  'sources/http/credentials.ts': [
    { variables: { name: 'realm' }, maxLength: 64 * 1024, text: ['', 'realm="', ''] },
  ],
  'sources/registries/pypi.ts': [
    { variables: { name: 'href' }, maxLength: megabyte, text: ['', ' href  =', ''] },
    {
      variables: { normaliseName, escapePattern },
      foreign: 'packageName',
      maxLength: megabyte,
      text: ['x', '-', '\n'],
    },
  ],
};

const src = resolve(import.meta.dirname, '../src');

/** The patterns that a file writes, and those that it builds. */
function findPatterns(file: string) {
  const code = readFileSync(join(src, file), 'utf8');
  const slice = ({ start, end }: any) => code.slice(start, end);
  const constants = new Map<string, string>();
  const literals: RegExp[] = [];
  const calls: string[] = [];
  walk(parseAst(code, { lang: 'ts' }), (node) => {
    if (node.type === 'Literal' && node.regex) {
      literals.push(new RegExp(node.regex.pattern, node.regex.flags));
    } else if (node.type === 'VariableDeclarator' && node.init) {
      constants.set(node.id.name, slice(node.init));
    } else if (/^(?:New|Call)Expression$/.test(node.type) && node.callee.name === 'RegExp') {
      calls.push(slice(node));
    }
  });

  return {
    literals: literals.map((form) => ({ place: `${file} ${form}`, file, form })),
    calls: calls.flatMap((call, index) => {
      const entry = built[file]?.[index];
      return listVariables(entry).map((variables) => {
        const form = entry && evaluate(call, constants, variables);
        return { place: `${file} ${form ?? call}`, file, call, form, entry };
      });
    }),
  };
}

/** The variables of an expression, once for each hostile text. */
function listVariables({ variables, foreign }: Partial<Built> = {}) {
  return foreign === undefined
    ? [variables]
    : hostileTexts.map((text) => ({ ...variables, [foreign]: OneLine.parse(text) }));
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

/** The value of an expression, by the constants of its file where no variable has the name. */
function evaluate(
  expression: string,
  constants: ReadonlyMap<string, string>,
  variables: Built['variables'] = {},
): RegExp {
  const scope: object = new Proxy(variables, {
    has: (_, name) => name in variables || constants.has(String(name)),
    get(_, name) {
      const constant = constants.get(String(name));
      return name in variables || constant === undefined
        ? variables[String(name)]
        : evaluate(constant, constants, variables);
    },
  });
  return runInNewContext(`with (scope) { (${expression}) }`, { scope });
}

const files = globSync('**/*.{ts,js}', { cwd: src, exclude: ['**/*.d.ts'] });
const patterns = files.map((file) => findPatterns(file.replaceAll('\\', '/')));
const literals = patterns.flatMap((each) => each.literals);
const calls = patterns.flatMap((each) => each.calls);

/** Without limits of time, two runs say the same. */
const thorough = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  randomSeed: 1,
};

test.each(literals)('$place', async ({ file, form }) => {
  const diagnosis = await check(form.source, form.flags, thorough);
  const [, , maxLength] =
    slow.find(([place, each]) => place === file && String(each) === String(form)) ?? [];

  // Make a slow pattern linear. It belongs into the list only if its texts are bounded.
  expect(diagnosis.status).toBe(maxLength === undefined ? 'safe' : 'vulnerable');
  if (diagnosis.status === 'vulnerable') {
    expectHarmless(form, attack(diagnosis, maxLength!));
  }
});

test.each(calls)('$place', async ({ form, entry }) => {
  // A pattern that the program builds belongs into the other list.
  expect(entry).toBeDefined();
  const { maxLength, text, isOwn } = entry!;
  const diagnosis = await check(form!.source, form!.flags, thorough);

  expect(diagnosis.status).not.toBe('unknown');
  expectHarmless(form!, repeat(text, maxLength), isOwn);
  if (diagnosis.status === 'vulnerable') {
    expectHarmless(form!, attack(diagnosis, maxLength), isOwn);
  }
});

test('each entry of the lists is of a pattern', () => {
  const places = new Set(literals.map(({ place }) => place));
  const byFile = Map.groupBy(calls, ({ file }) => file);

  expect(slow.filter(([file, form]) => !places.has(`${file} ${form}`))).toEqual([]);
  const count = (own: typeof calls) => new Set(own.map(({ call }) => call)).size;
  expect(mapValues(Object.fromEntries(byFile), count)).toEqual(
    mapValues(built, ({ length }) => length),
  );
});

function repeat([start, unit, end]: Built['text'], length: number): string {
  return start + unit.repeat((length - start.length - end.length) / unit.length) + end;
}

/** The text on which a pattern is slow, as long as it may be. */
function attack({ attack: { pumps, suffix, string } }: VulnerableDiagnostics, length: number) {
  const fixed = pumps.reduce((sum, { prefix }) => sum + prefix.length, suffix.length);
  const pumped = pumps.reduce((sum, { pump }) => sum + pump.length, 0);
  const count = Math.max(0, Math.floor((length - fixed) / pumped));
  const text = pumps.map(({ prefix, pump }) => prefix + pump.repeat(count)).join('') + suffix;
  return text.length <= length ? text : string.slice(0, length);
}

/** A megabyte of such texts takes less than a second. The limit is far above that, and ends what would take for ever. */
function expectHarmless(form: RegExp, text: string, isOwn = false): void {
  const times = isOwn ? 1 : Math.ceil(megabyte / text.length);
  const search = 'for (let time = 0; time < times; time += 1) { text.replace(form, ""); }';

  expect(() => runInNewContext(search, { form, text, times }, { timeout: 20_000 })).not.toThrow();
}
