import type { z } from 'zod';
import { isSecretKey, showValue } from '../text/show.ts';
import { didYouMean, findNearest, formatCount } from '../text/wording.ts';

/** A problem of a document in parts. Only `got` quotes the document. */
export interface Problem {
  readonly kind: 'value' | 'unknown key' | 'repeated key' | 'not JSON';
  readonly path: readonly PropertyKey[];
  readonly line?: number;
  readonly expected: string;
  /** The actual value or key, in a form that a person recognises; of a text that is not JSON, the message of its parser. */
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

/** The first problem of each part of a value, one line each. Empty for a valid value. */
export function describeProblems(input: unknown, schema: z.ZodType): string[] {
  return findProblems(input, schema).map(describeProblem);
}

/** The first problem of each part of a value, with spelling suggestions. */
export function findProblems(input: unknown, schema: z.ZodType): Problem[] {
  const { error } = schema.safeParse(input, { error: describeExpected });
  return listFirstProblems(error?.issues ?? [], input);
}

function listFirstProblems(issues: readonly z.core.$ZodIssue[], document: unknown): Problem[] {
  const problems: Problem[] = [];
  const subjects = new Set<string>();
  for (const issue of issues) {
    // A value can break several rules; report the first. Its unknown keys are another subject.
    const subject = JSON.stringify([issue.code === 'unrecognized_keys', ...issue.path]);
    if (!subjects.has(subject)) {
      subjects.add(subject);
      problems.push(...listProblems(issue, document));
    }
  }
  return problems;
}

function listProblems(issue: z.core.$ZodIssue, document: unknown): Problem[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      kind: 'unknown key',
      path,
      expected: describeKnownKeys(key, issue.message.split(', ').filter(Boolean)),
      got: key,
    }));
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    return listUnionProblems(issue, document);
  }
  if (issue.code === 'invalid_key') {
    const got = `the key ${showValue(path.at(-1))}`;
    return issue.issues.map(({ message }) => ({ kind: 'value', path, expected: message, got }));
  }

  const got = describeGot(issue, findValueAt(document, path));
  return [{ kind: 'value', path, expected: issue.message, got }];
}

/** The problems of the alternative that the value was probably meant as: of the right type, with its keys; the types of all where none has it. */
function listUnionProblems(
  { path, errors }: z.core.$ZodIssueInvalidUnion,
  document: unknown,
): Problem[] {
  const value = findValueAt(document, path);
  const got = describeValue(path, value);
  const ofType = errors.filter((issues) => !issues.some((issue) => isWrongType(issue, value)));
  if (ofType.length === 0) {
    const types = errors
      .flat()
      .flatMap((issue) =>
        'expected' in issue ? nameType(issue.expected) : listOptions(issue).map(String),
      );
    return [{ kind: 'value', path, expected: `expected ${joinDistinct(types)}`, got }];
  }

  const fewestIssues = Math.min(...ofType.map(countOwn));
  const nearest = ofType.filter((issues) => countOwn(issues) === fewestIssues);
  const missingKeys = nearest.flatMap((issues) => findMissingKey(issues, value) ?? []);
  if (new Set(missingKeys).size > 1) {
    // The value may be meant as any of them.
    const expected = `expected the key ${joinDistinct(missingKeys)}`;
    return [{ kind: 'value', path, expected, got }];
  }

  const issues = nearest[0]!.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
  return listFirstProblems(issues, document);
}

/** The number of issues of a value itself, not of its parts. */
function countOwn(issues: readonly z.core.$ZodIssue[]): number {
  return issues.filter(({ path }) => path.length === 0).length;
}

function joinDistinct(texts: readonly string[]): string {
  return [...new Set(texts)].join(' or ');
}

/** The first key that an alternative requires and the value lacks. */
function findMissingKey(issues: readonly z.core.$ZodIssue[], value: unknown): string | undefined {
  const isMissing = ({ path }: z.core.$ZodIssue) =>
    path.length === 1 && findValueAt(value, path) === undefined;
  return issues.find(isMissing)?.path.join('.');
}

/** Whether an issue is of the type of the value itself. No object is meant as one of some texts. */
function isWrongType({ code, path }: z.core.$ZodIssue, value: unknown): boolean {
  const isOfType =
    code === 'invalid_type' || (code === 'invalid_value' && typeof value === 'object');
  return isOfType && path.length === 0;
}

/** The message of an issue whose schema has none. For unknown keys, the list of the known ones, which `listProblems` reads. */
function describeExpected(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'unrecognized_keys':
      // Only here does zod give the schema of the object.
      return Object.keys((issue.inst as z.ZodObject | undefined)?.shape ?? {}).join(', ');
    case 'invalid_union':
    case 'invalid_value':
      return `expected ${joinOptions(listOptions(issue))}`;
    case 'invalid_type':
      return `expected ${nameType(issue.expected)}`;
    case 'too_small':
      return `expected ${issue.inclusive ? 'at least' : 'more than'} ${formatLimit(issue.minimum, issue.origin)}`;
    case 'too_big':
      return `expected ${issue.inclusive ? 'at most' : 'less than'} ${formatLimit(issue.maximum, issue.origin)}`;
    default:
      return undefined;
  }
}

/** The name of a type of zod in words of JSON. */
function nameType(type: string): string {
  return { record: 'object', int: 'whole number' }[type] ?? type;
}

/** The values of an enum, or of the key that tells the forms of an object apart. */
function listOptions(issue: z.core.$ZodIssue | z.core.$ZodRawIssue): readonly unknown[] {
  if (issue.code === 'invalid_value') {
    return issue.values;
  }

  const options = issue.code === 'invalid_union' && 'options' in issue ? issue.options : [];
  return Array.isArray(options) ? options : [];
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

  const hint = didYouMean(value, listOptions(issue).map(String));
  return hint === '' ? text : `${text}.${hint}`;
}

/** The value, or undefined where it may be a secret. */
function describeValue(path: readonly PropertyKey[], value: unknown): string | undefined {
  if (path.some(isSecretKey)) {
    return undefined;
  }

  return value === undefined ? 'nothing, and it is required' : showValue(value);
}

function formatLimit(limit: number | bigint, origin: string): string {
  const noun = { string: 'character', array: 'element' }[origin];
  return noun === undefined ? String(limit) : formatCount(Number(limit), noun);
}

function joinOptions(options: readonly unknown[]): string {
  return options.length === 1 ? showValue(options[0]) : `one of ${options.join(', ')}`;
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
      text += `[${showValue(String(part))}]`;
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

/** A hint for an unknown key: the known key that it resembles, otherwise all known keys. */
function describeKnownKeys(key: string, knownKeys: readonly string[]): string {
  const nearest = findNearest(key, knownKeys);
  if (nearest !== undefined) {
    return `did you mean "${nearest}"? Otherwise remove or correct it`;
  }

  const list = knownKeys.length === 0 ? '' : `known are ${knownKeys.join(', ')}; `;
  return `${list}remove or correct it`;
}
