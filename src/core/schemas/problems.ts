import type { z } from 'zod';
import { didYouMean, nearest } from '../nearest.ts';

/**
 * Every problem of a value, one line each: dotted path, what was expected, what came, and the nearest right spelling where one is
 * near. Empty where the schema accepts the value.
 */
export function describeProblems(input: unknown, schema: z.ZodType): string[] {
  const issues = schema.safeParse(input, { error: hintsOnKeys(placesOfKeys(schema)) }).error?.issues ?? [];
  const described = new Set<string>();
  return issues
    .filter((issue) => {
      // One value can break several rules; the first is enough.
      const place = `${issue.code === 'unrecognized_keys'} ${dotted(issue.path)}`;
      return !described.has(place) && described.add(place);
    })
    .flatMap((issue) => describeIssue(issue, input));
}

/** Where in a document each key may stand: `externalOauth.issuers[]`. Keys of records, which may have any name, are in no place. */
function placesOfKeys(schema: z.ZodType): Map<string, string> {
  const places = new Map<string, string>();
  const visit = (part: z.core.$ZodType | undefined, place: string, level: number) => {
    const def = part?._zod.def as SchemaParts | undefined;
    if (!def || level > 12) return;
    for (const [key, inner] of Object.entries(def.shape ?? {})) {
      if (!places.has(key)) places.set(key, place);
      visit(inner, place === '' ? key : `${place}.${key}`, level + 1);
    }
    visit(def.element, `${place}[]`, level + 1);
    for (const inner of [def.innerType, def.out, ...(def.options ?? [])]) visit(inner, place, level + 1);
  };
  visit(schema, '', 0);
  return places;
}

interface SchemaParts {
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly element?: z.core.$ZodType;
  readonly innerType?: z.core.$ZodType;
  readonly out?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
}

/** A line for each unknown key. Only here does zod name the schema that knows the others. */
function hintsOnKeys(places: ReadonlyMap<string, string>) {
  return (issue: z.core.$ZodRawIssue) =>
    issue.code === 'unrecognized_keys' ? hintOnKeys(issue, places) : undefined;
}

function hintOnKeys(issue: z.core.$ZodRawIssue, places: ReadonlyMap<string, string>): string {
  const known = Object.keys((issue.inst as z.ZodObject | undefined)?.shape ?? {});
  return (issue as { readonly keys: readonly string[] }).keys
    .map((key) => {
      const place = places.get(key);
      if (place !== undefined)
        return `it belongs ${place === '' ? 'to the top' : `into ${place}`}; move or remove it`;
      const near = nearest(key, known);
      if (near !== undefined) return `did you mean "${near}"? Otherwise remove or correct it`;
      return `${known.length > 0 ? `known are ${known.join(', ')}; ` : ''}remove or correct it`;
    })
    .join('\n');
}

function describeIssue(issue: z.core.$ZodIssue, input: unknown): string[] {
  const { path, message } = issue;
  // The schema has a complete sentence of its own.
  if (message.includes('; got ')) return [line(path, message)];
  const value = valueAt(input, path);
  const got = value === undefined ? 'got nothing, and it is required' : `got ${show(value)}`;
  switch (issue.code) {
    case 'unrecognized_keys': {
      const hints = message.split('\n');
      return issue.keys.map((key, index) => line([...path, key], `unknown key; ${hints[index]}`));
    }
    case 'invalid_union':
      if (issue.errors.length > 0) return describeUnion(issue, input);
      return [line(path, describeChoice('options' in issue ? issue.options : [], value, got))];
    case 'invalid_value':
      return [line(path, describeChoice(issue.values, value, got))];
    case 'invalid_type':
      return [line(path, `expected ${issue.expected}; ${got}`)];
    case 'invalid_key':
      return issue.issues.map((inner) => line(path, `${inner.message}; got the key ${show(path.at(-1))}`));
    case 'too_small':
      return [line(path, `expected ${bound('at least', issue.minimum, issue.origin)}; ${got}`)];
    case 'too_big':
      return [line(path, `expected ${bound('at most', issue.maximum, issue.origin)}; ${got}`)];
    default:
      return [line(path, `${message}; got ${show(value)}`)];
  }
}

/** The problems of the one alternative whose type is right; otherwise the types of all. */
function describeUnion({ path, errors }: z.core.$ZodIssueInvalidUnion, input: unknown): string[] {
  const isWrongType = (issue: z.core.$ZodIssue) => issue.code === 'invalid_type' && issue.path.length === 0;
  const [only, ...others] = errors.filter((issues) => !issues.some(isWrongType));
  if (only && others.length === 0)
    return only.flatMap((issue) => describeIssue({ ...issue, path: [...path, ...issue.path] }, input));
  const types = errors.map(([first]) => (first?.code === 'invalid_type' ? first.expected : 'another form'));
  return [line(path, `expected ${oneOf([...new Set(types)])}; got ${show(valueAt(input, path))}`)];
}

function describeChoice(options: readonly unknown[], value: unknown, got: string): string {
  const names = options.map(String);
  const hint = typeof value === 'string' ? didYouMean(value, names) : '';
  return `expected ${oneOf(names)}; ${got}${hint && `.${hint}`}`;
}

function bound(word: string, limit: number | bigint, origin: string): string {
  if (origin === 'string') return `${word} ${limit} characters`;
  if (origin === 'array') return `${word} ${limit} ${limit === 1 ? 'element' : 'elements'}`;
  return `${word} ${limit}`;
}

function oneOf(options: readonly string[]): string {
  return options.length === 1 ? `"${options[0]}"` : `one of ${options.join(', ')}`;
}

function line(path: readonly PropertyKey[], message: string): string {
  return path.length === 0 ? message : `${dotted(path)}: ${message}`;
}

/** `sources[0].datasource`, `support.lines["2025.1"]`. */
function dotted(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (/^[$A-Za-z_][\w$-]*$/.test(String(part)))
      text += text === '' ? String(part) : `.${String(part)}`;
    else text += `[${JSON.stringify(String(part))}]`;
  }
  return text;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

/** The value in a form that a person recognises, cut to a short line. */
export function show(value: unknown): string {
  const text = JSON.stringify(outline(value, 3)) ?? String(value);
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}

const host = String.raw`(?:[\w-]+\.)+[a-z]{2,}(?![\w.])`;

/** After a scheme, or without one: user:password@host, token@npm.example.com, npm.example.com/?token; not name@1.0 and pkg:npm/name@1.0. */
const address = new RegExp(
  String.raw`(://|^(?=(?!pkg:|\S*://)(?:\S*:\S*@|\S+@${host}|${host}\S*\?)))(\S*)`,
  'gi',
);

/** Messages reach public logs: of an address, right or wrong, they show neither the part before an `@` nor the query. */
function withoutSecrets(text: string): string {
  return text.replaceAll(address, (_, start: string, rest: string) => {
    const before = rest.slice(0, rest.lastIndexOf('@') + 1);
    const mayBeSecret = before !== '' && (before.includes(':') || !/[/?#]/.test(before));
    return start + (mayBeSecret ? `…@${rest.slice(before.length)}` : rest).replace(/\?.+/, '?…');
  });
}

/** The part of a value that can fit on the line: a foreign document may be too large or too deep to write out. */
function outline(value: unknown, depth: number): unknown {
  const most = 120;
  if (typeof value === 'string') return withoutSecrets(value).slice(0, most);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '…';
  if (Array.isArray(value)) return value.slice(0, most / 2).map((item) => outline(item, depth - 1));
  const entries = Object.entries(value).slice(0, most / 4);
  return Object.fromEntries(entries.map(([key, item]) => [key, outline(item, depth - 1)]));
}
