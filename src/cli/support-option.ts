import { SupportPolicy } from '../core/schemas/definition/support-policy.ts';
import { describeProblems } from '../core/schemas/problems.ts';
import { quote } from '../core/text/foreign-text.ts';

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
