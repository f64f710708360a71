import type { z } from 'zod';
import { SupportPolicy } from '../core/schemas/definition/support-policy.ts';
import { describeProblem, describeProblems, findProblems } from '../core/schemas/problems.ts';
import { SiteUrl } from '../core/schemas/urls.ts';
import { quote } from '../core/text/foreign-text.ts';
import { throwUsage } from './command.ts';

/**
 * The value of an option or argument, or of several, checked by a schema; undefined if it is not given. Throws a UsageError with every
 * problem.
 */
export function parseOption<T>(
  name: string,
  value: unknown,
  schema: z.ZodType<T>,
  namesByKey?: Readonly<Record<string, string>>,
): T | undefined {
  if (value === undefined) {
    return undefined;
  }

  throwUsage(describeOptionProblems(name, value, schema, namesByKey));
  return schema.parse(value);
}

/**
 * The problems of a value that the command line states, each with the option or argument that states it: of the key that is wrong, or
 * else `name`.
 */
export function describeOptionProblems(
  name: string,
  value: unknown,
  schema: z.ZodType,
  namesByKey: Readonly<Record<string, string>> = {},
): string[] {
  return findProblems(value, schema).map((problem) => {
    const nameOfKey = namesByKey[String(problem.path[0])];
    return nameOfKey === undefined
      ? `${name}: ${describeProblem(problem)}`
      : `${nameOfKey}: ${describeProblem({ ...problem, path: [] })}`;
  });
}

/** The address of a site, without a slash at its end. Throws a UsageError. */
export function readSiteUrl(name: string, value: string | undefined): string | undefined {
  return parseOption(name, value, SiteUrl)?.replace(/\/+$/, '');
}

/** The forms of a support policy in an option or an answer. */
export const policyForms = 'term:<months> or latest-lines:<count>';

/** Reads a support policy such as term:18, or finds the problem of the text. Empty without a text. */
export function readSupportPolicy(
  text: string | undefined,
  forms = policyForms,
): { policy?: SupportPolicy; problem?: string } {
  if (text === undefined) {
    return {};
  }

  const [, policy, digits] = /^(term|latest-lines):(\d+)$/.exec(text) ?? [];
  if (policy === undefined) {
    return { problem: `expected ${forms}; got ${quote(text)}` };
  }

  const number = Number(digits);
  const value = policy === 'term' ? { policy, months: number } : { policy, count: number };
  const [problem] = describeProblems(value, SupportPolicy);
  return problem === undefined ? { policy: SupportPolicy.parse(value) } : { problem };
}
