import type { Day } from '../dates.ts';
import type { PublishedNamedPolicy } from '../model/published/policies-file.ts';
import { parseQuery } from '../query/parse.ts';
import { nearest } from '../query/query-error.ts';
import type { ReadPolicy } from '../store/policies.ts';

/** A policy of a published index, as of a day. Throws a `QueryError` where a newer program wrote it. */
export function readPublished(policy: PublishedNamedPolicy, day: Day): ReadPolicy {
  return { ...policy, selects: parseQuery(policy.query, day) };
}

/** That there is no such policy, with the one that was probably meant. */
export function unknownPolicy(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  const meant = near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`;
  return `There is no policy ${JSON.stringify(name)}.${meant} Policies are ${names.join(', ')}.`;
}
