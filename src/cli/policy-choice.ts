import type { PublishedIndex } from '../ask/answers/published-index.ts';
import {
  defaultPolicies,
  describeUnknownPolicy,
  parsePublishedPolicy,
} from '../ask/scan/scan-policies.ts';
import type { Day } from '../core/model/dates.ts';
import { QuestionError } from '../core/query/question-error.ts';
import type { ReadPolicy } from '../core/query/query-terms.ts';
import { inputError, throwErrors } from '../core/schemas/finding.ts';
import type { PublishedNamedPolicy } from '../core/schemas/published/policy-scan.ts';
import { readPolicies } from '../io/files/read-policies.ts';
import { throwUsage, type Invocation } from './command.ts';

/**
 * The policies of --policy, in order. Those of the root take precedence over others of the index with their names. Throws an
 * InputError for wrong ones of the root, and a UsageError with every unknown name. `url`: the address of a published index.
 */
export async function choosePolicies(
  { root, day }: Invocation,
  names: readonly string[] = defaultPolicies,
  index: PublishedIndex,
  url: string | undefined,
): Promise<ReadPolicy[]> {
  const { policies: rootPolicies, findings } = readPolicies(root, day);
  throwErrors(findings);

  const ownPolicies = [...rootPolicies.values()].filter(({ isBuiltIn }) => !isBuiltIn);
  const available = [...(await index.policies()), ...ownPolicies];
  const policies = new Map(available.map((policy) => [policy.name, policy]));
  const chosen: PublishedNamedPolicy[] = [];
  const problems: string[] = [];
  for (const name of new Set(names)) {
    const policy = policies.get(name);
    if (policy) {
      chosen.push(policy);
    } else {
      problems.push(`--policy: ${describeUnknownPolicy(name, [...policies.keys()])}`);
    }
  }

  throwUsage(problems);
  return chosen.map((policy) => parsePolicy(policy, day, url));
}

/** Throws an InputError for a query that this program cannot read. */
function parsePolicy(policy: PublishedNamedPolicy, day: Day, url: string | undefined): ReadPolicy {
  try {
    return parsePublishedPolicy(policy, day);
  } catch (error) {
    if (!(error instanceof QuestionError && error.reason === 'query')) {
      throw error;
    }

    const message = `the query of its policy "${policy.name}" cannot be read here: ${error.message}. If a newer program wrote it, update this one`;
    throw inputError(url ?? 'scan', message);
  }
}
