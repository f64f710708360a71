/** Parses documents by a schema, and describes their problems in sentences. */
import * as z from 'zod';
import { InputError, inputError } from './errors.ts';
import { findNearest, formatList, joinSubject, toLine } from './text.ts';

/**
 * Parses JSON. Ignores a byte order mark at the start of the text. Some Windows editors write this invisible character, but `JSON.parse`
 * rejects it.
 */
export function parseJson(text: string, subject: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw inputError(subject, `is not JSON: ${toLine((error as Error).message)}`);
  }
}

/** Returns a document that a schema has checked. Throws an `InputError` with all its problems. */
export function parseDocument<S extends z.ZodType>(
  schema: S,
  value: unknown,
  subject: string,
): z.infer<S> {
  const { data, success } = schema.safeParse(value);
  if (!success) {
    throw new InputError(describeProblems(value, schema).map((message) => ({ subject, message })));
  }

  return data;
}

/**
 * Parses a document that a later version of the program may have written: unknown keys pass, and unknown words where a word of a fixed list is
 * expected, such as a new state. Throws an `InputError` with the first problem.
 */
export function parseForeign<S extends z.ZodType>(
  schema: S,
  value: unknown,
  subject: string,
): z.infer<S> {
  const { data, error } = schema.safeParse(value, { error: describeExpected });
  const issue = listIssues(error?.issues).find((each) => !mayBeNewer(each, value));
  if (issue) {
    throw inputError(subject, `cannot be read: ${describeIssue(issue, value)}`);
  }

  // If the document has unknown keys or words, zod returns no `data`. They pass, so the value itself is returned.
  return (data ?? value) as z.infer<S>;
}

/** Tells whether an issue is a key or a word that a later version of the program may have added. */
function mayBeNewer(issue: z.core.$ZodIssue, document: unknown): boolean {
  if (issue.code === 'invalid_value') {
    const expectsWords = issue.values.every((value) => typeof value === 'string');
    return expectsWords && typeof readValue(document, issue.path) === 'string';
  }

  return issue.code === 'unrecognized_keys';
}

/** Describes the problems of a document, with one sentence for each place in the document. */
export function describeProblems(value: unknown, schema: z.ZodType): string[] {
  const { error } = schema.safeParse(value, { error: describeExpected });
  const issues = listIssues(error?.issues);
  const places = Map.groupBy(issues, ({ code, path }) =>
    JSON.stringify([code === 'unrecognized_keys', ...path]),
  );

  return [...places.values()]
    .map(([issue]) => issue!)
    .filter((issue) => !isMisspelt(issue, issues, value))
    .map((issue) => describeIssue(issue, value));
}

function describeExpected(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'unrecognized_keys': {
      const keys = Object.keys((issue.inst as z.ZodObject).shape);
      return issue.keys.map((key) => describeKey(key, keys)).join('; ');
    }
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `expected ${nameType(issue)}`;
    case 'invalid_value':
      return `expected ${formatChoice(issue.values)}`;
    case 'invalid_union': {
      const key = issue.discriminator ?? '';
      const keys = Object.keys(Object(issue.input));
      const misspelt = keys.find((each) => findNearest(each, [key]));
      if (misspelt !== undefined && !keys.includes(key)) {
        return describeKey(misspelt, [key]);
      }
      return issue.options ? `expected ${formatChoice(Object.values(issue.options))}` : undefined;
    }
    case 'invalid_format':
      return `expected a text like ${issue.pattern ?? issue.format}`;
    case 'too_small':
      return `expected at least ${issue.minimum}`;
    case 'too_big':
      return `expected at most ${issue.maximum}`;
    default:
      return undefined;
  }
}

/** Plain names for types. People who write JSON may not know the technical names. */
const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a text',
};

/** Names the expected type. For an object, also names the keys that it needs. */
function nameType({ expected, inst }: { expected: string; inst?: unknown }): string {
  const name = typeNames[expected] ?? expected;
  const keys = inst instanceof z.ZodObject ? Object.entries(inst.shape) : [];
  const needed = keys.filter(([, value]) => !value.safeParse(undefined).success);
  const names = needed.map(([key]) => key);
  return names.length > 0 ? `${name} with ${formatList(names, 6)}` : name;
}

function describeKey(key: string, keys: readonly string[]): string {
  const near = findNearest(key, keys);
  const hint = near === undefined ? `known keys: ${keys.join(', ')}` : `did you mean ${near}?`;
  return `unknown key ${JSON.stringify(key)}; ${hint}`;
}

function formatChoice(values: readonly unknown[]): string {
  const list = values.join(', ');
  return values.length > 1 ? `one of ${list}` : list;
}

/**
 * Lists the issues that zod found, each with its path from the top of the document. For a union, lists only the issues of the form that
 * fits best.
 */
function listIssues(
  issues: readonly z.core.$ZodIssue[] = [],
  parent: readonly PropertyKey[] = [],
): z.core.$ZodIssue[] {
  return issues.flatMap((issue) => {
    const path = [...parent, ...issue.path];
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) {
      return { ...issue, path };
    }

    const [nearest] = issue.errors.toSorted((a, b) => rateDistance(a) - rateDistance(b));
    return listIssues(nearest, path);
  });
}

/**
 * Rates how far a value is from a form of a union:
 * - `-1`: the right form, with a mistake in one of its parts
 * - `0`: a text that is not one of the allowed texts
 * - `1`: the wrong type
 */
function rateDistance(issues: readonly z.core.$ZodIssue[]): number {
  const code = issues.find(({ path }) => path.length === 0)?.code ?? '';
  return ['invalid_value', 'invalid_type'].indexOf(code);
}

/** Tells whether a key is missing because it is misspelt. The misspelt key is a separate problem. */
function isMisspelt(
  { path }: z.core.$ZodIssue,
  issues: readonly z.core.$ZodIssue[],
  document: unknown,
): boolean {
  const holder = path.slice(0, -1).join('/');
  return (
    readValue(document, path) === undefined &&
    issues.some(
      (other) =>
        other.code === 'unrecognized_keys' &&
        other.path.join('/') === holder &&
        other.keys.some((key) => findNearest(key, [String(path.at(-1))])),
    )
  );
}

function readValue(document: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<any>((value, key) => value?.[key], document);
}

/** Lists the values that a key may have. These are the values of an enumeration, or the values that select a form of a union. */
function listChoices(issue: z.core.$ZodIssue): string[] {
  const { values, options } = issue as { values?: unknown[]; options?: unknown[] };
  return (values ?? options ?? []).map(String);
}

/** JSON keys whose values are not shown in messages. `jwkSet` should contain public keys, but may contain a private key by mistake. */
const secretKeys: readonly PropertyKey[] = ['jwkSet'];

/** Returns `support.months: expected a number; got "18"`. */
function describeIssue(issue: z.core.$ZodIssue, document: unknown): string {
  const { path, message } = issue;
  const value = readValue(document, path);
  // An object is not shown, because any part of it may be a secret.
  const isObject = typeof value === 'object' && value !== null;
  const mayBeSecret = isObject || path.some((key) => secretKeys.includes(key));
  const isShown = value !== undefined && !mayBeSecret;
  const nearest = isShown ? findNearest(String(value), listChoices(issue)) : undefined;
  const hint = nearest === undefined ? '' : `. Did you mean ${nearest}?`;
  const text = isShown ? `${message}; got ${showValue(value)}${hint}` : message;
  return path.length === 0 ? text : joinSubject(z.core.toDotPath(path), text);
}

/**
 * Converts a value from a foreign document to a text. An object becomes a short line of JSON (see `showValue`). `String` would call the
 * `toString` of the object, which may come from the document: `{"toString": 1}`
 */
export function toText(value: unknown): string {
  return typeof value === 'object' ? showValue(value) : String(value);
}

/** Shows a value on a short line, without the password and the query of a URL. */
export function showValue(value: unknown): string {
  const text = formatValue(value).slice(0, 1000);
  const safe = text
    .replaceAll(/:\/\/[^\s"]*@/g, '://…@')
    .replaceAll(/(:\/\/[^\s"?]*)\?[^\s"]*/g, '$1?…');
  return safe.length > 120 ? `${safe.slice(0, 119)}…` : safe;
}

function formatValue(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // The value is nested too deeply for `JSON.stringify`.
    return Array.isArray(value) ? '[…]' : '{…}';
  }
}
