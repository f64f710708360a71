import type { Day } from '../../core/model/dates.ts';
import type { Query } from '../../core/query/parse.ts';
import { parsePolicyQuery } from '../../core/query/query-units.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import type { PublishedNamedPolicy } from '../../core/schemas/published/policy-scan.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { didYouMean } from '../../core/text/wording.ts';

/** The policies of a scan that names none. */
export const defaultPolicies = ['supported', 'secure'] as const;

/** A policy whose query is parsed for a day. */
export interface ReadPolicy extends PublishedNamedPolicy {
  readonly selects: Query;
}

/** Parses the query of a policy, as of a day. Throws a `QuestionError` if a newer program wrote the query. */
export function parsePublishedPolicy(policy: PublishedNamedPolicy, day: Day): ReadPolicy {
  return { ...policy, selects: parsePolicyQuery(policy.query, day) };
}

/** Throws a `QuestionError`. */
export function findPolicyNamed(
  policies: readonly PublishedNamedPolicy[],
  name: string,
): PublishedNamedPolicy {
  const policy = policies.find((each) => each.name === name);
  if (!policy) {
    const names = policies.map((each) => each.name);
    throw new QuestionError('unknown', describeUnknownPolicy(name, names));
  }

  return policy;
}

/** A message with a suggestion and all policies. */
export function describeUnknownPolicy(name: string, names: readonly string[]): string {
  const list = names.length === 0 ? 'There are none' : `Policies are ${names.join(', ')}`;
  return `There is no policy ${quote(name)}.${didYouMean(name, names)} ${list}.`;
}
