import * as z from 'zod';
import type { Query } from '../../query/parse.ts';
import { componentName } from '../component-name.ts';
import { Labels, Text } from '../scalars.ts';

export const PublishedNamedPolicy = z.strictObject({
  name: z.string().regex(componentName).meta({ description: 'What a scan calls it.' }),
  isBuiltIn: z.boolean().meta({ description: 'Whether every index has it; others are of this index.' }),
  description: Text.meta({ description: 'What it asks, in a sentence.' }),
  remediation: Text.meta({ description: 'What to do about a release that does not satisfy it.' }),
  labels: Labels.optional().meta({ description: 'What a reader of results has to know beside it.' }),
  query: Text.meta({ description: 'A release satisfies the policy if this query selects it.' }),
});
export type PublishedNamedPolicy = z.infer<typeof PublishedNamedPolicy>;

/** A policy whose query is parsed for a day. */
export interface ReadPolicy extends PublishedNamedPolicy {
  readonly selects: Query;
}

/** `policies.json`. */
export const PoliciesFile = z
  .strictObject({
    policies: z
      .array(PublishedNamedPolicy)
      .min(1)
      .meta({ description: 'Those of every index, then those of this one, alphabetical.' }),
  })
  .meta({ description: 'What a scan may ask of a release.' });
export type PoliciesFile = z.infer<typeof PoliciesFile>;
