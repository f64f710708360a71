import * as z from 'zod';
import { ScanException } from '../scan-exceptions.ts';
import { ComponentName, Labels, Text } from '../scalars.ts';
import { VersionAnswer } from './answer-schemas.ts';

/** What a policy says of a thing. */
export const PolicyScan = z.object({
  thing: Text.meta({ description: 'As it was written: a name with a version, or a package URL.' }),
  purl: Text.optional().meta({ description: 'With its version; absent where a name was written.' }),
  file: Text.optional().meta({ description: 'The scanned file that names it.' }),
  line: z
    .int()
    .positive()
    .optional()
    .meta({ description: 'The line of the file, from 1, where it is a list.' }),
  labels: Labels.meta({ description: 'Those of the policy; empty where it has none.' }),
  status: z.enum(['satisfied', 'unsatisfied', 'unknown', 'not-applicable', 'excepted']).meta({
    description:
      'unknown: the index knows the thing, but does not list its version, and the release line has not ended; or the thing has no version, or cannot be read. not-applicable: the index does not know the thing, or a tag or commit stands in place of a version. excepted: unsatisfied or unknown, but an exception lets it pass.',
  }),
  policyUri: z
    .string()
    .regex(/^\/policies\/(?:built-in|own)\/[a-z0-9-]+$/)
    .meta({
      description: 'Which policy: one that every index has, or one of this index; policies.json lists them.',
    }),
  policyDescription: Text.meta({ description: 'The condition of the policy.' }),
  policyRemediation: Text.meta({ description: 'The advice.' }),
  attestationUri: z.string().nullable().meta({
    description: 'Path of the signed statements about the component; null where nothing is signed or known.',
  }),
  sourcedFromUri: z.string().nullable().meta({
    description:
      'The run that built the release; else the changes in it, or in the component; null where they are unknown.',
  }),
  details: z
    .object({
      component: ComponentName.optional().meta({ description: 'Absent where the index does not know it.' }),
      version: Text.optional().meta({
        description: 'As listed; as asked where it is not listed; absent where none is stated.',
      }),
      reason: Text.meta({ description: 'The reasons for its status, in sentences.' }),
      supportedUntil: VersionAnswer.shape.supportedUntil,
      supportedUntilKind: VersionAnswer.shape.supportedUntilKind,
      moveTo: VersionAnswer.shape.moveTo,
      exception: ScanException.pick({ reason: true, until: true }).optional().meta({
        description:
          'Why an exception lets it pass, and the last day of that; of an ended one where it is excepted no longer.',
      }),
      message: Text.optional().meta({
        description:
          'The result of a comparison with recorded digests and the recorded repository; absent where all that was stated is recorded.',
      }),
    })
    .meta({ description: 'The known facts.' }),
});
export type PolicyScan = z.infer<typeof PolicyScan>;

export const PolicyScans = z
  .array(PolicyScan)
  .meta({ description: 'The results of policies for each item, in the order of the request.' });
