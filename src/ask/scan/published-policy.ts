import type { Day } from '../../core/dates.ts';
import type { PublishedNamedPolicy } from '../../core/schemas/published/policies-file.ts';
import { parseQuery } from '../../core/query/parse.ts';
import { nearest } from '../../core/nearest.ts';
import type { ReadPolicy } from '../../core/schemas/published/policies-file.ts';

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
