import {
  defaultPolicies,
  describeUnknownPolicy,
  parsePublishedPolicy,
} from '../ask/scan/scan-policies.ts';
import type { Day } from '../core/model/dates.ts';
import { QuestionError } from '../core/query/question-error.ts';
import { parsePolicyQuery, type ReadPolicy } from '../core/query/query-terms.ts';
import { inputError, throwErrors } from '../core/schemas/finding.ts';
import type { PublishedNamedPolicy } from '../core/schemas/published/policy-scan.ts';
import { readPolicies } from '../io/files/read-policies.ts';
import type { Root } from '../io/files/root.ts';
import { UsageError } from './command.ts';

interface PolicyChoice {
  /** The policies to judge by. */
  names: readonly string[];
  /** Policies of the root, and of --query. */
  ownPolicies: readonly PublishedNamedPolicy[];
}

interface PolicyOptions {
  policy?: readonly string[] | undefined;
  query?: string | undefined;
}

/** Reads --policy and --query. Throws a QuestionError for a wrong query, and an InputError for wrong policies of the root. */
export function readPolicyChoice(
  root: Root,
  { policy: names, query }: PolicyOptions,
  day: Day,
): PolicyChoice {
  const { policies, findings } = readPolicies(root, day);
  throwErrors(findings);
  const rootPolicies = [...policies.values()].filter(({ isBuiltIn }) => !isBuiltIn);
  if (query === undefined) {
    return { names: names ?? defaultPolicies, ownPolicies: rootPolicies };
  }

  parsePolicyQuery(query, day);
  const queryPolicy = {
    name: 'query',
    isBuiltIn: false,
    description: `The query selects the release: ${query}`,
    remediation: 'Move to a release that the query selects.',
    query,
  };
  return {
    names: [...(names ?? []), queryPolicy.name],
    ownPolicies: [...rootPolicies, queryPolicy],
  };
}

/**
 * The chosen policies, in order. Those of the root take precedence over others of the index with their names. Throws a UsageError
 * with every unknown name. `url`: the address of a published index.
 */
export function choosePolicies(
  { names, ownPolicies }: PolicyChoice,
  indexPolicies: readonly PublishedNamedPolicy[],
  day: Day,
  url: string | undefined,
): ReadPolicy[] {
  const available = [...indexPolicies, ...ownPolicies];
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

  if (problems.length > 0) {
    throw new UsageError(...problems);
  }
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
