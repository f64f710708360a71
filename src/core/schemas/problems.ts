import leven from 'leven';
import type { z } from 'zod';

/**
 * Every problem of a document, one line each: dotted path, what was expected, what came, and the nearest
 * right spelling where one is near.
 */
export function describeProblems(error: z.ZodError, input: unknown, schema: z.ZodType): string[] {
  const told = new Set<string>();
  return error.issues
    .filter((issue) => {
      // One value can break several rules of one field; the first says what is wrong.
      const place = `${issue.code === 'unrecognized_keys'} ${dotted(issue.path)}`;
      return !told.has(place) && told.add(place);
    })
    .flatMap((issue) => describeIssue(issue, { input, schema }));
}

/** The nearest of the candidates, if it is near enough to be what was meant. */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(text.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = leven(text.toLowerCase(), candidate.toLowerCase(), { maxDistance: bestDistance });
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** ` Did you mean "x"?`, to stand after a sentence; empty where nothing is near. */
export function didYouMean(text: string, candidates: Iterable<string>, prefix = ''): string {
  const near = nearest(text, candidates);
  return near === undefined ? '' : ` Did you mean "${prefix}${near}"?`;
}

interface Context {
  input: unknown;
  schema: z.ZodType;
}

function describeIssue(issue: z.core.$ZodIssue, context: Context): string[] {
  const path = issue.path;
  const value = valueAt(context.input, path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) =>
        line([...path, key], `unknown key; ${knownKeys(context, path, key)}remove or correct it`),
      );
    case 'invalid_union':
      return describeUnion(issue, context, value);
    case 'invalid_value':
      return [
        line(
          path,
          `expected ${oneOf(issue.values.map(String))}; got ${show(value)}${meant(value, issue.values)}`,
        ),
      ];
    case 'invalid_type':
      return [
        line(
          path,
          value === undefined
            ? `expected ${issue.expected}; got nothing, and it is required`
            : `expected ${issue.expected}; got ${show(value)}`,
        ),
      ];
    case 'invalid_key':
      return issue.issues.map((inner) => line(path, `${inner.message}; got the key ${show(path.at(-1))}`));
    case 'too_small':
      return [line(path, `expected ${bound('at least', issue.minimum, issue.origin)}; got ${show(value)}`)];
    case 'too_big':
      return [line(path, `expected ${bound('at most', issue.maximum, issue.origin)}; got ${show(value)}`)];
    default:
      return [
        line(path, /; got /.test(issue.message) ? issue.message : `${issue.message}; got ${show(value)}`),
      ];
  }
}

function describeUnion(issue: z.core.$ZodIssueInvalidUnion, context: Context, value: unknown): string[] {
  if (issue.errors.length === 0) {
    const options = 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
    if (value === undefined)
      return [line(issue.path, `expected ${oneOf(options)}; got nothing, and it is required`)];
    return [line(issue.path, `expected ${oneOf(options)}; got ${show(value)}${meant(value, options)}`)];
  }
  // The author most likely meant the branch that matches furthest.
  const branches = issue.errors.map((issues) =>
    issues.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }) as z.core.$ZodIssue),
  );
  const ofRightType = branches.filter((issues) => !issues.some(isWrongTypeAt(issue.path.length)));
  if (ofRightType.length === 1) return ofRightType[0]!.flatMap((inner) => describeIssue(inner, context));
  const expected = branches.map((issues) =>
    issues[0]?.code === 'invalid_type' ? issues[0].expected : 'another form',
  );
  return [line(issue.path, `expected ${oneOf([...new Set(expected)])}; got ${show(value)}`)];
}

function isWrongTypeAt(depth: number) {
  return (issue: z.core.$ZodIssue) => issue.code === 'invalid_type' && issue.path.length === depth;
}

function knownKeys({ schema, input }: Context, path: readonly PropertyKey[], key: string): string {
  const known = keysAt(schema, input, path);
  if (known.length === 0) return '';
  const near = nearest(key, known);
  if (near) return `did you mean "${near}"? Otherwise `;
  const [place, ...others] = new Set(placesOf(schema, key));
  return place === undefined || others.length > 0
    ? `known are ${known.join(', ')}; `
    : `it belongs into ${place}; `;
}

/** Where else a schema knows a key: `sources[].releases[]`. */
function* placesOf(schema: z.core.$ZodType, key: string, place = ''): Generator<string> {
  const { def } = (schema as z.ZodType)._zod as { def: z.core.$ZodTypes['_zod']['def'] };
  switch (def.type) {
    case 'optional':
    case 'default':
      return yield* placesOf(def.innerType, key, place);
    case 'object':
      if (place !== '' && Object.hasOwn(def.shape, key)) yield place;
      for (const [name, inner] of Object.entries(def.shape))
        yield* placesOf(inner, key, place === '' ? name : `${place}.${name}`);
      return;
    case 'array':
      return yield* placesOf(def.element, key, `${place}[]`);
    case 'union':
      for (const option of def.options) yield* placesOf(option, key, place);
      return;
    default:
  }
}

/** The keys that the schema knows at a path of the input; the input decides between the branches of a union. */
function keysAt(schema: z.core.$ZodType, value: unknown, path: readonly PropertyKey[]): string[] {
  const { def } = (schema as z.ZodType)._zod as { def: z.core.$ZodTypes['_zod']['def'] };
  const [head, ...rest] = path;
  const inner = (value as Record<PropertyKey, unknown> | undefined)?.[head ?? ''];
  switch (def.type) {
    case 'optional':
    case 'default':
      return keysAt(def.innerType, value, path);
    case 'object':
      if (head === undefined) return Object.keys(def.shape);
      return def.shape[String(head)] ? keysAt(def.shape[String(head)]!, inner, rest) : [];
    case 'array':
      return keysAt(def.element, inner, rest);
    case 'record':
      return keysAt(def.valueType, inner, rest);
    case 'union': {
      const name = (def as z.core.$ZodDiscriminatedUnionDef).discriminator;
      const wanted = (value as Record<string, unknown> | undefined)?.[name];
      const branch = def.options.find((option) =>
        (option._zod.propValues?.[name] as Set<unknown> | undefined)?.has(wanted),
      );
      return branch ? keysAt(branch, value, path) : [];
    }
    default:
      return [];
  }
}

function bound(word: string, limit: number | bigint, origin: string): string {
  if (origin === 'string') return `${word} ${limit} characters`;
  if (origin === 'array') return `${word} ${limit} ${limit === 1 ? 'element' : 'elements'}`;
  return `${word} ${limit}`;
}

function meant(value: unknown, candidates: readonly unknown[]): string {
  if (typeof value !== 'string') return '';
  const hint = didYouMean(value, candidates.map(String));
  return hint && `.${hint}`;
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

/** Messages reach public logs: of an address, right or wrong, they show neither what stands before an `@` nor the query. */
function withoutSecrets(text: string): string {
  return text.replaceAll(/(:\/\/)(\S*)/g, (_, start: string, rest: string) => {
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
