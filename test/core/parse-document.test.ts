import { expect, test } from 'vitest';
import * as z from 'zod';
import { InputError } from '../../src/core/errors.ts';
import {
  describeProblems,
  parseDocument,
  parseForeign,
  parseJson,
  showValue,
  toText,
} from '../../src/core/parse-document.ts';

const Policy = z.discriminatedUnion('policy', [
  z.strictObject({ policy: z.literal('none') }),
  z.strictObject({ policy: z.literal('term'), months: z.int() }),
]);
const Schema = z.strictObject({
  title: z.string(),
  state: z.enum(['supported', 'ended']).optional(),
  count: z.number().min(1).max(9).optional(),
  isOld: z.boolean().optional(),
  tags: z.array(z.string()).optional(),
  source: z.strictObject({ name: z.string(), path: z.string().optional() }).optional(),
  both: z.strictObject({ from: z.string(), to: z.string() }).optional(),
  policy: Policy.optional(),
  day: z.string().regex(/^\d+$/).optional(),
  ends: z.union([z.literal('never'), z.strictObject({ until: z.string() })]).optional(),
  jwkSet: z.string().optional(),
});

test.each<[document: object, problem: string]>([
  [{}, 'title is missing'],
  [{ title: null }, 'title: expected a text; got null'],
  [{ title: 1 }, 'title: expected a text; got 1'],
  [{ state: 'endet' }, 'state: expected one of supported, ended; got "endet". Did you mean ended?'],
  [{ state: 'x' }, 'state: expected one of supported, ended; got "x"'],
  [{ count: '3' }, 'count: expected a number; got "3"'],
  [{ count: 0 }, 'count: expected at least 1; got 0'],
  [{ count: 10 }, 'count: expected at most 9; got 10'],
  [{ isOld: 'yes' }, 'isOld: expected true or false; got "yes"'],
  [{ tags: {} }, 'tags: expected a list'],
  [{ tags: ['a', 1] }, 'tags[1]: expected a text; got 1'],
  [{ source: 'x' }, 'source: expected an object with name; got "x"'],
  [{ both: 1 }, 'both: expected an object with from, to; got 1'],
  [{ source: { name: 'x', paht: 'y' } }, 'source: unknown key "paht"; did you mean path?'],
  [{ source: { name: 'x', zzz: 1 } }, 'source: unknown key "zzz"; known keys: name, path'],
  [{ source: { nmae: 'x' } }, 'source: unknown key "nmae"; did you mean name?'],
  [
    { policy: { policy: 'trem' } },
    'policy.policy: expected one of none, term; got "trem". Did you mean term?',
  ],
  [{ policy: { polciy: 'term' } }, 'policy.policy: unknown key "polciy"; did you mean policy?'],
  [{ policy: { policy: 'term', months: 1.5 } }, 'policy.months: expected a whole number; got 1.5'],
  [{ day: 'x' }, String.raw`day: expected a text like /^\d+$/; got "x"`],
  [{ ends: { until: 1 } }, 'ends.until: expected a text; got 1'],
  [{ ends: 'newer' }, 'ends: expected never; got "newer". Did you mean never?'],
  [{ jwkSet: 7 }, 'jwkSet: expected a text'],
])('the problem of %j is: %s', (keys, problem) => {
  const document =
    Object.hasOwn(keys, 'title') || problem.startsWith('title') ? keys : { title: 'x', ...keys };

  expect(describeProblems(document, Schema)).toEqual([problem]);
  expect(() => parseDocument(Schema, document, 'a.json')).toThrow(`a.json: ${problem}`);
});

test('all problems of a document are named, each place once', () => {
  const document = { titel: 'x', count: '3', tags: [1, 2] };

  expect(() => parseDocument(Schema, document, 'a.json')).toThrow(InputError);
  expect(describeProblems(document, Schema)).toEqual([
    'count: expected a number; got "3"',
    'tags[0]: expected a text; got 1',
    'tags[1]: expected a text; got 2',
    expect.stringMatching(/^unknown key "titel"; did you mean title\?$/),
  ]);
  expect(describeProblems([], Schema)).toEqual(['expected an object with title']);
});

test('a sound document is returned', () => {
  expect(parseDocument(Schema, { title: 'x' }, 'a.json')).toEqual({ title: 'x' });
});

test.each<[document: object, problem: string | undefined]>([
  [{ title: 'x', state: 'paused', other: 1 }, undefined],
  [{ title: 'x', source: { name: 'x', later: 1 } }, undefined],
  [{ title: 'x', state: 3 }, 'state: expected one of supported, ended; got 3'],
  [{ title: 'x', state: 'paused', count: 'many' }, 'count: expected a number; got "many"'],
  [{ state: 'paused' }, 'title is missing'],
])('a document of a later version, %j, has the problem: %s', (document, problem) => {
  const parse = () => parseForeign(Schema, document, 'a.json');

  if (problem === undefined) {
    expect(parse()).toEqual(document);
  } else {
    expect(parse).toThrow(`a.json cannot be read: ${problem}`);
  }
});

test('a byte order mark is ignored, and an error about JSON is one line', () => {
  expect(parseJson('\uFEFF{"a": 1}', 'a.json')).toEqual({ a: 1 });
  expect(() => parseJson('{\n"a"', 'a.json')).toThrow(/^a\.json is not JSON: [^\n]+$/);
});

test.each<[value: unknown, shown: string]>([
  ['a', '"a"'],
  [undefined, 'undefined'],
  [{ a: [1] }, '{"a":[1]}'],
  ['x'.repeat(118), `"${'x'.repeat(118)}"`],
  ['x'.repeat(119), `"${'x'.repeat(118)}…`],
  ['https://jane:secret@a.example/b?token=secret', '"https://…@a.example/b?…"'],
  [{ url: 'https://a.example/?a=1', b: 'c' }, '{"url":"https://a.example/?…","b":"c"}'],
])('the value, case %#, is shown as %s', (value, shown) => {
  expect(showValue(value)).toBe(shown);
});

test('a value that is nested too deeply is not shown', () => {
  let deep: unknown[] = [];
  for (let level = 0; level < 100_000; level += 1) {
    deep = [deep];
  }

  expect(showValue(deep)).toBe('[…]');
  expect(showValue({ deep })).toBe('{…}');
});

test.each([
  ['a', 'a'],
  [1, '1'],
  [null, 'null'],
  [{ toString: 1 }, '{"toString":1}'],
])('%j becomes the text %s', (value, text) => {
  expect(toText(value)).toBe(text);
});
