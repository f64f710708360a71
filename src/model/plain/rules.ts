import { isDay, isDayOrInstant } from '../../dates.ts';
import { lineForm, maxLengths } from '../forms.ts';
import { isHttpsUrl, isUpstreamUrl } from '../safe-url.ts';

/**
 * Whether a value that `JSON.parse` gave is beyond doubt what its schema would make of it, key order included. Almost every
 * document is, and to load the schemas and to ask them costs a build more than most of its stages. False means only: ask
 * the schema.
 */
export type Rule = (value: unknown) => boolean;

/** An object with these keys and no others, in this order: the one of the schema. */
export function record<T extends object>(
  required: readonly (keyof T)[],
  rules: Readonly<Record<keyof T, Rule>>,
): (value: unknown) => value is T {
  const fields = Object.entries<Rule>(rules).map(([key, holds]) => ({
    key,
    holds,
    isRequired: required.includes(key as keyof T),
  }));
  return (value): value is T => {
    if (!isObject(value)) return false;
    let next = 0;
    let missing = required.length;
    for (const key in value) {
      while (fields[next] && fields[next]!.key !== key) next += 1;
      const field = fields[next];
      if (!field?.holds(value[key])) return false;
      next += 1;
      if (field.isRequired) missing -= 1;
    }
    return missing === 0;
  };
}

/** An object of one of several kinds, which one of its keys tells apart. */
export function oneKindOf(key: string, kinds: Readonly<Record<string, Rule>>): Rule {
  const rules = new Map(Object.entries(kinds));
  return (value) => isObject(value) && rules.get(value[key] as string)?.(value) === true;
}

/** An object whose keys are data. */
export function mapOf(isKey: (key: string) => boolean, holds: Rule): Rule {
  return (value) =>
    // The schemas drop this one key.
    isObject(value) &&
    Object.keys(value).every((key) => key !== '__proto__' && isKey(key) && holds(value[key]));
}

export function listOf(holds: Rule, least = 0): Rule {
  return (value) => Array.isArray(value) && value.length >= least && value.every((item) => holds(item));
}

export function oneOf(...values: readonly unknown[]): Rule {
  return (value) => values.includes(value);
}

export function integerUpTo(most: number): Rule {
  return (value) => typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most;
}

/** A text that is not empty. */
export function text(holds: (text: string) => boolean, most = Infinity): Rule {
  return (value) => typeof value === 'string' && value !== '' && value.length <= most && holds(value);
}

export function lineUpTo(most: number): Rule {
  return text((line) => plainLine.test(line) || lineForm.test(line), most);
}

/** The general form takes tables of characters to be built. */
const plainLine = /^[!-~][ -~]*$/;

export const someText = text(() => true);
export const day = text(isDay);
export const timestamp = text(isDayOrInstant);
export const line = lineUpTo(maxLengths.line);
export const version = text(() => true, maxLengths.version);
export const httpsUrl = text(isHttpsUrl);
export const upstreamUrl = text(isUpstreamUrl);
export const flag: Rule = (value) => typeof value === 'boolean';
/** Editors are told by it; it may say anything, and nothing. */
export const schemaReference: Rule = (value) => typeof value === 'string';

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
