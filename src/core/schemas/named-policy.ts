import * as z from 'zod';
import { documented, schemaAddress } from './documented.ts';
import { Labels, Line } from './scalars.ts';

/** `site/policies/<policy>.json`, written by hand: what a scan asks of a release. */
export const NamedPolicy = z.strictObject({
  $schema: schemaAddress('../schema/policy.json'),
  description: documented(Line, 'Its condition, in a sentence.', 'Agents are no older than a year.'),
  remediation: documented(
    Line,
    'The advice for a release that does not satisfy it, in a sentence.',
    'Move to a release of this year.',
  ),
  labels: documented(Labels.optional(), 'Whatever the reader of a result has to know beside it.', {
    team: 'build',
  }),
  query: documented(
    z.string().min(1).max(2000),
    'A release satisfies the policy if this query selects it.',
    'not isDeprecated age:<365d',
  ),
});
export type NamedPolicy = z.infer<typeof NamedPolicy>;

/** The policies that every index has. */
export const builtInPolicies: Readonly<Record<string, NamedPolicy>> = {
  supported: {
    description: 'The release is not deprecated.',
    remediation: 'Move to a release that is not deprecated.',
    query: 'not isDeprecated',
  },
  current: {
    description: 'The release is the newest stable release of its line that is not deprecated.',
    remediation: 'Move to the newest stable release of a line that is not deprecated.',
    query: 'isLatestOfLine',
  },
  lasting: {
    description:
      'The release is not deprecated, and its support runs for more than 90 days or no end is stated.',
    remediation: 'Move to a release whose support runs for more than 90 days.',
    query: 'not isDeprecated (supportLeft:>90d or not supportedUntil:*)',
  },
  secure: {
    description: 'No known advisory affects the release.',
    remediation: 'Move to a release that no known advisory affects.',
    query: 'not isVulnerable',
  },
  secured: {
    description: 'The release is supported, and no known advisory affects it.',
    remediation: 'Move to a supported release that no known advisory affects.',
    query: 'isSupported not isVulnerable',
  },
  stable: {
    description: 'The release is no prerelease.',
    remediation: 'Move to a release that is no prerelease.',
    query: 'not isPrerelease',
  },
  'built-in-the-open': {
    description: 'A verified attestation states its build, from the source repository of the component.',
    remediation:
      'Move to a release that was built in the open, or ask its maintainers to publish provenance.',
    query: 'hasProvenance isFromSourceRepository',
  },
};
