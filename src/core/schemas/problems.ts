import type { z } from 'zod';
import { quote } from '../text/foreign-text.ts';
import { isSecretKey, show } from '../text/show.ts';
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
  // Reversed: of several places of a key, the first counts.
  const places = new Map([...listPlacesOfKeys(schema, '', 0)].reverse());
  const issues = schema.safeParse(input, { error: createKeyHints(places) }).error?.issues ?? [];
  const problems = new Map<string, Problem[]>();
  for (const issue of issues) {
    // A value can break several rules; report the first.
    const key = `${issue.code === 'unrecognized_keys'} ${formatPath(issue.path)}`;
    if (!problems.has(key)) {
      problems.set(key, listProblems(issue, arrangeInput(schema, input)));
    }
  }
  return [...problems.values()].flat();
}

/** The value that the rules see, where a schema first moves parts of it. */
function arrangeInput(schema: z.ZodType, input: unknown): unknown {
  const { in: first } = schema._zod.def as { readonly in?: z.ZodType };
  return first?._zod.def.type === 'transform' ? (first.safeParse(input).data ?? input) : input;
}

/** Our own documents have fewer levels; schemas may refer to themselves. */
const maxKeyLevel = 12;

/** The place of a key in a document, `externalOauth.issuers[]`, and the schema of its value. */
interface KeyPlace {
  readonly place: string;
  readonly value: z.ZodType;
}

/** The places of keys in a document. Without keys of records, which may have any name. */
function* listPlacesOfKeys(
  part: z.core.$ZodType | undefined,
  place: string,
  level: number,
): Generator<[key: string, KeyPlace]> {
  const def = part?._zod.def as SchemaParts | undefined;
  if (!def || level > maxKeyLevel) {
    return;
  }

  for (const [key, inner] of Object.entries(def.shape ?? {})) {
    yield [key, { place, value: inner as z.ZodType }];
    yield* listPlacesOfKeys(inner, place === '' ? key : `${place}.${key}`, level + 1);
  }

  yield* listPlacesOfKeys(def.element, `${place}[]`, level + 1);

  for (const inner of [def.innerType, def.out, ...(def.options ?? [])]) {
    yield* listPlacesOfKeys(inner, place, level + 1);
  }
}

interface SchemaParts {
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly element?: z.core.$ZodType;
  readonly innerType?: z.core.$ZodType;
  readonly out?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
}

/** Each unknown key with a hint, as JSON, because zod passes on a text. Only this callback gets the schema with the known keys. */
function createKeyHints(places: ReadonlyMap<string, KeyPlace>) {
  return (issue: z.core.$ZodRawIssue) =>
    issue.code === 'unrecognized_keys' ? describeKeyHints(issue, places) : undefined;
}

function describeKeyHints(
  issue: z.core.$ZodRawIssue,
  places: ReadonlyMap<string, KeyPlace>,
): string {
  const allowedKeys = Object.keys((issue.inst as z.ZodObject | undefined)?.shape ?? {});

  const describeHint = (key: string) => {
    const { place, value } = places.get(key) ?? {};

    // Another form of the same object may have the key, and a value of another form would be rejected there, too.
    if (
      place !== undefined &&
      place !== formatPath(issue.path ?? []).replaceAll(/\[\d+\]/g, '[]') &&
      value!.safeParse(Object(issue.input)[key]).success
    ) {
      return `it belongs ${place === '' ? 'at the top' : `in ${place}`}; move or remove it`;
    }

    const near = findNearest(key, allowedKeys);
    if (near !== undefined) {
      return `did you mean "${near}"? Otherwise remove or correct it`;
    }

    return `${allowedKeys.length > 0 ? `known are ${allowedKeys.join(', ')}; ` : ''}remove or correct it`;
  };

  const { keys } = issue as { readonly keys: readonly string[] };
  return JSON.stringify(keys.map((key) => [key, describeHint(key)]));
}

function listProblems(issue: z.core.$ZodIssue, input: unknown): Problem[] {
  const { path, message } = issue;
  const value = findValueAt(input, path);
  const createProblems = (expected: string, got?: string): Problem[] => [
    { kind: 'value', path, expected, got },
  ];
  const customValue: string | undefined =
    issue.code === 'custom' ? issue.params?.['got'] : undefined;
  if (customValue !== undefined || path.some(isSecretKey)) {
    return createProblems(message, customValue);
  }

  const gotText = value === undefined ? 'nothing, and it is required' : show(value);

  switch (issue.code) {
    case 'unrecognized_keys': {
      const hints = JSON.parse(message) as [key: string, hint: string][];
      return hints.map(([got, expected]) => ({ kind: 'unknown key', path, expected, got }));
    }
    case 'invalid_union':
      if (issue.errors.length > 0) {
        return listUnionProblems(issue, input);
      }
      return [createChoiceProblem(path, 'options' in issue ? issue.options : [], value, gotText)];
    case 'invalid_value':
      return [createChoiceProblem(path, issue.values, value, gotText)];
    case 'invalid_type':
      // A message of a schema says more than the type.
      return createProblems(
        message.startsWith('expected ') ? message : `expected ${issue.expected}`,
        gotText,
      );
    case 'invalid_key':
      return issue.issues.flatMap((inner) =>
        createProblems(inner.message, `the key ${show(path.at(-1))}`),
      );
    case 'too_small':
      return createProblems(
        `expected ${formatBound('at least', issue.minimum, issue.origin)}`,
        gotText,
      );
    case 'too_big':
      return createProblems(
        `expected ${formatBound('at most', issue.maximum, issue.origin)}`,
        gotText,
      );
    default:
      return createProblems(message, show(value));
  }
}

/** The problems of the only alternative with the right type; otherwise the types of all. */
function listUnionProblems(
  { path, errors }: z.core.$ZodIssueInvalidUnion,
  input: unknown,
): Problem[] {
  const isWrongType = (issue: z.core.$ZodIssue) =>
    issue.code === 'invalid_type' && issue.path.length === 0;
  const [alternative, ...others] = errors.filter((issues) => !issues.some(isWrongType));
  if (alternative && others.length === 0) {
    return alternative.flatMap((issue) =>
      listProblems({ ...issue, path: [...path, ...issue.path] }, input),
    );
  }

  const types = errors.map(([first]) =>
    first?.code === 'invalid_type' ? first.expected : 'another form',
  );
  const expected = `expected ${joinOptions([...new Set(types)])}`;
  return [{ kind: 'value', path, expected, got: show(findValueAt(input, path)) }];
}

function createChoiceProblem(
  path: readonly PropertyKey[],
  options: readonly unknown[],
  value: unknown,
  gotText: string,
): Problem {
  const names = options.map(String);
  const hint = typeof value === 'string' ? didYouMean(value, names) : '';
  return {
    kind: 'value',
    path,
    expected: `expected ${joinOptions(names)}`,
    got: `${gotText}${hint && `.${hint}`}`,
  };
}

function formatBound(word: string, limit: number | bigint, origin: string): string {
  if (origin === 'string') {
    return `${word} ${limit} characters`;
  }
  if (origin === 'array') {
    return `${word} ${limit} ${limit === 1 ? 'element' : 'elements'}`;
  }

  return `${word} ${limit}`;
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
      text += `[${quote(String(part))}]`;
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
