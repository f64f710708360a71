/**
 * Checks that no regular expression of `src` can hang. Some regular expressions need exponential time for a few lines of text. So each one
 * in `src` must take linear time, or be used only on short texts.
 */
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
import { maxVersionLength, prereleaseWords } from '../src/core/version.ts';

/**
 * The regular expressions that need more than linear time. `maxLength` is the length of the longest text that each one searches. `bound`
 * says what limits this length.
 */
const slow: readonly [file: string, pattern: RegExp, maxLength: number, bound: string][] = [
  ['core/parse-document.ts', /:\/\/[^\s"]*@/g, 1000, 'showValue cuts its text'],
  ['core/parse-document.ts', /(:\/\/[^\s"?]*)\?[^\s"]*/g, 1000, 'showValue cuts its text'],
  ['ask/query/values.ts', /([\d.,]+)(mo|ms|[a-z])/g, 50, 'readDuration refuses longer texts'],
  ['ask/question.ts', /[\s?!.]+$/, 200, 'cutQuestion passes no longer text'],
  ['cli/add/variants.ts', /[\d.]*\d[\d.]*/, maxVersionLength, 'parseVersion refuses longer texts'],
  [
    'site/renovate/jsonata.ts',
    /\\.|\[(?:\\.|[^\\\]])*\]|\//gs,
    1000,
    'the schema refuses longer patterns',
  ],
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

/** A regular expression that the program builds with `new RegExp`. */
interface Built {
  /**
   * The values of the variables in the call of `RegExp`. Leave out constants of the file, because the test reads their values from the
   * file.
   */
  variables?: Readonly<Record<string, unknown>>;
  /** The name of a variable whose text comes from a definition. The regular expression is tested with each of the `hostileTexts`. */
  foreign?: string;
  /** The length of the longest text that the regular expression gets. */
  maxLength: number;
  /**
   * A text that takes long to search, in three parts. `unit` is repeated until the text has `maxLength` characters: `['a', '-', '_']` →
   * `a-----_`.
   */
  text: [start: string, unit: string, end: string];
  /**
   * Whether the owner of the index writes this regular expression. If so, searching one slow text with it must not take too long.
   * Otherwise, searching a megabyte of slow texts must not take too long.
   */
  isOwn?: boolean;
}

const megabyte = 2 ** 20;
/** The schema accepts addresses up to this length. */
const maxAddress = 2000;

/** Texts that a definition may contain. Without escaping, they would be slow or invalid regular expressions. */
const hostileTexts = ['(x+x+)+y', 'x(', '[x', '*', '-', 'x-', 'x{2', '$|x', '\\'];

/** The regular expressions that each file builds, in the order in which the file builds them. */
const built: Readonly<Record<string, readonly Built[]>> = {
  'ask/extract.ts': [
    {
      // The slowest regular expression that the schema accepts, on the longest version that is searched.
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
  'cli/add/variants.ts': [
    { variables: { prereleaseWords }, maxLength: maxVersionLength, text: ['', 'a', ''] },
  ],
  'core/schema/names.ts': [{ maxLength: megabyte, text: ['a', '-', '_'] }],
  'core/schema/scalars.ts': [
    { maxLength: maxAddress, text: ['https://a', '/a', ' '] },
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

/** Finds the regular expressions in a file: literals, and calls of `RegExp`. */
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

/**
 * Returns the sets of values for the variables in a call of `RegExp`. If the text of the variable `foreign` comes from a definition, there
 * is one set for each hostile text. Otherwise, there is only one set.
 */
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

/**
 * Evaluates a call of `RegExp`. Reads the value of each identifier in it from `variables`. If `variables` does not have the identifier,
 * reads the constant of the file.
 */
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

/** Options for recheck. There are no time limits, so that every run has the same result. */
const thorough = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  randomSeed: 1,
};

test.each(literals)(
  'a regular expression in src needs linear time, or reads only texts with a maximum length: $place',
  async ({ file, form }) => {
    const diagnosis = await check(form.source, form.flags, thorough);
    const [, , maxLength] =
      slow.find(([place, each]) => place === file && String(each) === String(form)) ?? [];

    // If this fails, rewrite the regular expression so that it needs linear time. Add it to `slow` only if its texts have a maximum length.
    expect(diagnosis.status).toBe(maxLength === undefined ? 'safe' : 'vulnerable');
    if (diagnosis.status === 'vulnerable') {
      expectHarmless(form, attack(diagnosis, maxLength!));
    }
  },
);

test.each(calls)(
  'a regular expression that src builds is fast for the longest text: $place',
  async ({ form, entry }) => {
    // If this fails, add the regular expression to `built`.
    expect(entry).toBeDefined();
    const { maxLength, text, isOwn } = entry!;
    const diagnosis = await check(form!.source, form!.flags, thorough);

    expect(diagnosis.status).not.toBe('unknown');
    expectHarmless(form!, repeat(text, maxLength), isOwn);
    if (diagnosis.status === 'vulnerable') {
      expectHarmless(form!, attack(diagnosis, maxLength), isOwn);
    }
  },
);

test('each regular expression that this test lists exists in src', () => {
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

/** Extends the slow text that recheck found to the maximum length. */
function attack({ attack: { pumps, suffix, string } }: VulnerableDiagnostics, length: number) {
  const fixed = pumps.reduce((sum, { prefix }) => sum + prefix.length, suffix.length);
  const pumped = pumps.reduce((sum, { pump }) => sum + pump.length, 0);
  const count = Math.max(0, Math.floor((length - fixed) / pumped));
  const text = pumps.map(({ prefix, pump }) => prefix + pump.repeat(count)).join('') + suffix;
  return text.length <= length ? text : string.slice(0, length);
}

/**
 * Searches a megabyte of texts. With a harmless regular expression, this takes less than a second. The limit of 20 seconds ends a search
 * that would hang.
 */
function expectHarmless(form: RegExp, text: string, isOwn = false): void {
  const times = isOwn ? 1 : Math.ceil(megabyte / text.length);
  const search = 'for (let time = 0; time < times; time += 1) { text.replace(form, ""); }';

  expect(() => runInNewContext(search, { form, text, times }, { timeout: 20_000 })).not.toThrow();
}
