import { z } from 'zod';
import { documented, schemaAddress } from '../documented.ts';
import { Labels, Line } from '../scalars.ts';

/** `site/policies/<policy>.json`, written by hand: a condition on releases for scans. */
export const NamedPolicy = z.strictObject({
  $schema: schemaAddress('../schema/policy.json'),
  description: documented(
    Line,
    'Its condition, in a sentence.',
    'Agents are no older than a year.',
  ),
  remediation: documented(
    Line,
    'The advice for a release that does not satisfy it, in a sentence.',
    'Move to a release of this year.',
  ),
  labels: documented(Labels.optional(), 'Notes for readers of a result.', {
    team: 'build',
  }),
  query: documented(
    z.string().min(1).max(2000),
    'A release satisfies the policy if this query selects it.',
    'not isDeprecated age:<365d',
  ),
});
export type NamedPolicy = z.infer<typeof NamedPolicy>;
