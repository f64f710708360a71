import * as z from 'zod';
import { pick } from '../../model/objects.ts';
import { endFacts } from '../../model/phases.ts';
import { componentName } from '../definition/component-name.ts';
import { NamedPolicy, ScanException } from '../definition/scan-rules.ts';
import { optionalKey } from '../keys.ts';
import { ComponentName, Labels, PositiveCount, Text } from '../scalars.ts';
import { VersionAnswer } from './answer-schemas.ts';
import { PublishedRelease } from './details-file.ts';

/** The result of a policy for an item of a scan. */
export const PolicyScan = z.object({
  thing: Text.describe('As it was written: a name with a version, or a package URL.'),
  purl: optionalKey(Text, 'With its version; absent where a name was written.'),
  file: optionalKey(Text, 'The scanned file that names it.'),
  line: optionalKey(PositiveCount, 'The line of the file, from 1, where it is known.'),
  labels: Labels.describe('Labels of the policy; empty where it has none.'),
  status: z
    .enum(['satisfied', 'unsatisfied', 'unknown', 'not-applicable', 'excepted'])
    .describe(
      'unknown: facts for the policy are missing, or the item has no readable version, or its version is not listed and its release line may satisfy the policy. not-applicable: the index does not know the item, or it has a tag or commit instead of a version. excepted: an exception lets an unsatisfied or unknown result pass.',
    ),
  policyUri: z
    .string()
    .regex(/^\/policies\/(?:built-in|own)\/[a-z0-9-]+$/)
    .describe('The policy: built-in, or own to this index; policies.json lists both.'),
  policyDescription: Text.describe('The condition of the policy.'),
  policyRemediation: optionalKey(
    Text,
    'The advice of an own policy; of a built-in one the release to move to, absent where there is none.',
  ),
  attestationUri: z
    .string()
    .nullable()
    .describe('Path of the newest signed statement about the release; null where there is none.'),
  sourcedFromUri: z
    .string()
    .nullable()
    .describe('Always null: an index records no builds of components.'),
  details: z
    .object({
      component: optionalKey(ComponentName, 'Absent where the index does not know it.'),
      version: optionalKey(Text, 'As listed; as asked where it is not listed.'),
      reason: Text.describe('The reasons for its status, in sentences.'),
      ...PublishedRelease.pick({ changelogUrl: true, advisories: true, severity: true }).shape,
      ...pick(VersionAnswer.shape, endFacts),
      ...VersionAnswer.pick({ moveTo: true, releasesBehind: true, behind: true }).shape,
      exception: optionalKey(
        ScanException.pick({ reason: true, until: true }),
        'Why an exception lets it pass, and its last day; also for an exception that has ended.',
      ),
      message: optionalKey(
        Text,
        'The result of a comparison with recorded digests and the recorded repository; absent where everything is equal.',
      ),
    })
    .describe('The known facts.'),
});
export type PolicyScan = z.infer<typeof PolicyScan>;

/** The result of a policy for a package, with the three values of the provenance service. */
export const PackageScan = PolicyScan.extend({
  status: z
    .enum(['satisfied', 'unsatisfied', 'not-applicable'])
    .describe(
      'not-applicable: the index does not know the package, the version or a fact that the policy needs. details.reason names the cause.',
    ),
});
export type PackageScan = z.infer<typeof PackageScan>;

export const PolicyScans = z
  .array(PolicyScan)
  .describe('The results of policies for each item, in the order of the request.');

export const PublishedNamedPolicy = z.strictObject({
  name: z.string().regex(componentName).describe('Its name in a scan.'),
  isBuiltIn: z.boolean().describe('Whether every index has it.'),
  ...NamedPolicy.omit({ $schema: true }).shape,
});
export type PublishedNamedPolicy = z.infer<typeof PublishedNamedPolicy>;

/** `policies.json`. */
export const PoliciesFile = z.strictObject({
  policies: z
    .array(PublishedNamedPolicy)
    .min(1)
    .describe('Built-in policies, then policies of this index, alphabetical.'),
});
export type PoliciesFile = z.infer<typeof PoliciesFile>;
