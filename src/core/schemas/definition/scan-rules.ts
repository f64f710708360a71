import * as z from 'zod';
import { maxQueryLength } from '../../query/parse.ts';
import { createSchemaKey, documented, optionalKey } from '../keys.ts';
import { DaySchema, Labels, OneLine, SelectedVersions } from '../scalars.ts';
import { componentName } from './component-name.ts';

/** `site/policies/<policy>.json`, written by hand: a condition on releases for scans. */
export const NamedPolicy = z.strictObject({
  $schema: createSchemaKey('../schema/policy.json'),
  description: documented(
    OneLine,
    'Its condition, in a sentence.',
    'Agents are no older than a year.',
  ),
  remediation: documented(
    OneLine,
    'The advice for a release that does not satisfy it, in a sentence.',
    'Move to a release of this year.',
  ),
  labels: optionalKey(Labels, 'Notes for readers of a result.', {
    team: 'build',
  }),
  query: documented(
    z.string().min(1).max(maxQueryLength),
    'A release satisfies the policy if this query selects it.',
    'not isDeprecated age:<365d',
  ),
});
export type NamedPolicy = z.infer<typeof NamedPolicy>;

/** An entry of `.release-index-exceptions.json`: a release that a scan lets pass until a day. */
export const ScanException = z.strictObject({
  package: documented(
    OneLine,
    'The name of a component, or a package URL without a version.',
    'svc',
    'pkg:npm/%40example/agent',
  ),
  versions: SelectedVersions,
  policy: documented(
    z.string().regex(componentName, { error: 'expected the name of a policy' }),
    'The policy that is not applied.',
    'supported',
  ),
  reason: documented(
    OneLine,
    'Why, in a sentence for readers.',
    'The upgrade is planned as PLAN-42.',
  ),
  until: documented(DaySchema, 'The last day of the exception.', '2027-03-31'),
});
export type ScanException = z.infer<typeof ScanException>;

/** `.release-index-exceptions.json`, written by hand. */
export const ScanExceptions = z.array(ScanException);
