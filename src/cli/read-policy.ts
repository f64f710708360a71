import { SupportPolicy } from '../core/schemas/definition/support-policy.ts';

export const policyForms = 'term:<months> or latest-lines:<count>';

/** Reads a policy such as term:18; undefined for any other text. */
export function readPolicy(text: string): SupportPolicy | undefined {
  const [, policy, number] = /^(term|latest-lines):(\d+)$/.exec(text) ?? [];
  const length = policy === 'term' ? { months: Number(number) } : { count: Number(number) };

  return SupportPolicy.safeParse({ policy, ...length }).data;
}
