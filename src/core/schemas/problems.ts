import type { z } from 'zod';
import { isSecretKey } from '../text/hide-secrets.ts';
import { show } from '../text/show.ts';
import { didYouMean, findNearest } from '../text/wording.ts';

/** A problem of a document in parts. Only `got` quotes a value. */
export interface Problem {
  readonly kind: 'value' | 'unknown key' | 'repeated key' | 'not JSON';
  readonly path: readonly PropertyKey[];
  readonly line?: number;
  readonly expected: string;
  /** The actual value, in a form that a person recognises. */
  readonly got?: string | undefined;
}

/** `support.months: expected at least 1; got 0`. */
export function describeProblem({ kind, path, line, expected, got }: Problem): string {
  switch (kind) {
    case 'value':
      return prependPath(path, got === undefined ? expected : `${expected}; got ${got}`);
    case 'unknown key':
      return prependPath(got === undefined ? path : [...path, got], `unknown key; ${expected}`);
    case 'repeated key':
      return `line ${line}: has ${got === undefined ? 'a key' : `the key ${got}`} a second time; ${expected}`;
    case 'not JSON':
      return got === undefined ? kind : `${kind}: ${got}`;
  }
}

/** Every problem of a value, one line each. Empty for a valid value. */
export function describeProblems(input: unknown, schema: z.ZodType): string[] {
  return findProblems(input, schema).map(describeProblem);
}

/** Every problem of a value, with spelling suggestions. */
export function findProblems(input: unknown, schema: z.ZodType): Problem[] {
  const { error } = schema.safeParse(input, { error: addKnownKeys });
  const document = arrangeInput(schema, input);
  const places = mapKeyPlaces(schema);
  const problems: Problem[] = [];
  const subjects = new Set<string>();
  for (const issue of error?.issues ?? []) {
    // A value can break several rules; report the first. Its unknown keys are another subject.
    const prefix = issue.code === 'unrecognized_keys' ? 'keys of ' : '';
    const subject = `${prefix}${formatPath(issue.path)}`;
    if (!subjects.has(subject)) {
      subjects.add(subject);
      problems.push(...listProblems(issue, document, places));
    }
  }
  return problems;
}

/** The value that the rules see, where a schema first moves parts of it. */
function arrangeInput(schema: z.ZodType, input: unknown): unknown {
  const { in: first } = schema._zod.def as { readonly in?: z.ZodType };
  return first?._zod.def.type === 'transform' ? (first.safeParse(input).data ?? input) : input;
}

function listProblems(issue: z.core.$ZodIssue, document: unknown, places: KeyPlaces): Problem[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    return listUnknownKeys(issue, document, places);
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    return listUnionProblems(issue, document, places);
  }
  if (issue.code === 'invalid_key') {
    const got = `the key ${show(path.at(-1))}`;
    return issue.issues.map(({ message }) => ({ kind: 'value', path, expected: message, got }));
  }

  const got = describeGot(issue, findValueAt(document, path));
  return [{ kind: 'value', path, expected: describeExpected(issue), got }];
}

function listUnknownKeys(issue: UnknownKeysIssue, document: unknown, places: KeyPlaces): Problem[] {
  const { path, keys } = issue;
  const object = Object(findValueAt(document, path));
  const place = formatPath(path).replaceAll(/\[\d+\]/g, '[]');
  return keys.map((key) => {
    const hint = describeOtherPlace(places, place, key, object[key]);
    return {
      kind: 'unknown key',
      path,
      expected: hint ?? describeKnownKeys(key, issue),
      got: key,
    };
  });
}

/** The problems of the only alternative with the right type; otherwise the types of all. */
function listUnionProblems(
  { path, errors }: z.core.$ZodIssueInvalidUnion,
  document: unknown,
  places: KeyPlaces,
): Problem[] {
  const isWrongType = (issue: z.core.$ZodIssue) =>
    issue.code === 'invalid_type' && issue.path.length === 0;
  const alternatives = errors.filter((issues) => !issues.some(isWrongType));
  if (alternatives.length === 1) {
    return alternatives
      .flat()
      .flatMap((issue) =>
        listProblems({ ...issue, path: [...path, ...issue.path] }, document, places),
      );
  }

  const types = errors.map(([first]) =>
    first?.code === 'invalid_type' ? first.expected : 'another form',
  );
  const expected = `expected ${joinOptions([...new Set(types)])}`;
  const got = describeValue(path, findValueAt(document, path));
  return [{ kind: 'value', path, expected, got }];
}

/** The expected value. A message of a schema of ours says more than the rule that zod names. */
function describeExpected(issue: z.core.$ZodIssue): string {
  if (issue.message.startsWith('expected ')) {
    return issue.message;
  }

  switch (issue.code) {
    case 'invalid_union':
    case 'invalid_value':
      return `expected ${joinOptions(listOptions(issue))}`;
    case 'invalid_type':
      return `expected ${issue.expected}`;
    case 'too_small':
      return `expected ${issue.inclusive ? 'at least' : 'more than'} ${formatLimit(issue.minimum, issue.origin)}`;
    case 'too_big':
      return `expected ${issue.inclusive ? 'at most' : 'less than'} ${formatLimit(issue.maximum, issue.origin)}`;
    default:
      return issue.message;
  }
}

/** The values of an enum, or of the key that tells the forms of an object apart. */
function listOptions(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'invalid_value') {
    return issue.values.map(String);
  }

  return issue.code === 'invalid_union' && 'options' in issue ? issue.options.map(String) : [];
}

/** The actual value, with the nearest option for a misspelt one. A rule of ours may state it in words. */
function describeGot(issue: z.core.$ZodIssue, value: unknown): string | undefined {
  const words: string | undefined = issue.code === 'custom' ? issue.params?.['got'] : undefined;
  if (words !== undefined) {
    return words;
  }

  const text = describeValue(issue.path, value);
  if (text === undefined || typeof value !== 'string') {
    return text;
  }

  const hint = didYouMean(value, listOptions(issue));
  return hint === '' ? text : `${text}.${hint}`;
}

/** The value, or undefined where it may be a secret. */
function describeValue(path: readonly PropertyKey[], value: unknown): string | undefined {
  if (path.some(isSecretKey)) {
    return undefined;
  }

  return value === undefined ? 'nothing, and it is required' : show(value);
}

function formatLimit(limit: number | bigint, origin: string): string {
  if (origin === 'string') {
    return `${limit} characters`;
  }
  if (origin === 'array') {
    return `${limit} ${limit === 1 ? 'element' : 'elements'}`;
  }

  return String(limit);
}

function joinOptions(options: readonly string[]): string {
  return options.length === 1 ? `"${options[0]}"` : `one of ${options.join(', ')}`;
}

function prependPath(path: readonly PropertyKey[], message: string): string {
  return path.length === 0 ? message : `${formatPath(path)}: ${message}`;
}

/** `sources[0].datasource`, `support.lines["2025.1"]`. */
function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') {
      text += `[${part}]`;
    } else if (/^[$A-Za-z_][\w$-]{0,99}$/.test(String(part))) {
      text += text === '' ? String(part) : `.${String(part)}`;
    } else {
      text += `[${show(String(part))}]`;
    }
  }
  return text;
}

function findValueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) {
      return undefined;
    }

    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

/** Adds the keys that an object may have to the issue of its unknown keys: zod shows the schema of an object only here. */
function addKnownKeys(issue: z.core.$ZodRawIssue): undefined {
  if (issue.code === 'unrecognized_keys') {
    const schema = issue.inst as z.ZodObject | undefined;
    issue['knownKeys'] = Object.keys(schema?.shape ?? {});
  }
}

type UnknownKeysIssue = z.core.$ZodIssueUnrecognizedKeys & {
  readonly knownKeys?: readonly string[];
};

/** A hint for an unknown key: the known key that it resembles, otherwise all known keys. */
function describeKnownKeys(key: string, { knownKeys = [] }: UnknownKeysIssue): string {
  const nearest = findNearest(key, knownKeys);
  if (nearest !== undefined) {
    return `did you mean "${nearest}"? Otherwise remove or correct it`;
  }

  const list = knownKeys.length > 0 ? `known are ${knownKeys.join(', ')}; ` : '';
  return `${list}remove or correct it`;
}

/** The place of a key in a document, `externalOauth.issuers[]`, and the schema of its value. */
interface KeyPlace {
  readonly place: string;
  readonly schema: z.ZodType;
}

/** A hint that an unknown key belongs elsewhere; undefined if its value would be wrong there, too. */
function describeOtherPlace(
  places: KeyPlaces,
  place: string,
  key: string,
  value: unknown,
): string | undefined {
  const keyPlace = places.get(key);
  // At the same place, another form of the object has the key.
  if (!keyPlace || keyPlace.place === place || !keyPlace.schema.safeParse(value).success) {
    return undefined;
  }

  return `it belongs ${keyPlace.place === '' ? 'at the top' : `in ${keyPlace.place}`}; move or remove it`;
}

type KeyPlaces = ReadonlyMap<string, KeyPlace>;

/** The first place of each key in a document. */
function mapKeyPlaces(schema: z.ZodType): KeyPlaces {
  // A Map keeps the last of several entries with the same key.
  return new Map([...listKeyPlaces(schema, '', 0)].reverse());
}

/** Our own documents have fewer levels; schemas may refer to themselves. */
const maxKeyLevel = 12;

/**
 * The places of keys in a part of a document, whose schema is known only at run time. Keys of records are left out: they may
 * have any name.
 */
function* listKeyPlaces(
  schema: any,
  place: string,
  level: number,
): Generator<[key: string, KeyPlace]> {
  if (!schema || level > maxKeyLevel) {
    return;
  }

  const { shape = {}, element, innerType, out, options = [] } = schema._zod.def;
  for (const [key, value] of Object.entries<z.ZodType>(shape)) {
    yield [key, { place, schema: value }];
    yield* listKeyPlaces(value, place === '' ? key : `${place}.${key}`, level + 1);
  }

  yield* listKeyPlaces(element, `${place}[]`, level + 1);

  for (const part of [innerType, out, ...options]) {
    yield* listKeyPlaces(part, place, level + 1);
  }
}
