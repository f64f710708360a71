import * as z from 'zod';
import { DaySchema, OneLine, SelectedVersions } from '../scalars.ts';
import { documented, optionalKey, checked, createSchemaKey, rejectRepeated } from '../keys.ts';
import { Advisory } from '../advisory.ts';
import { aboutKeys, relationKeys } from './about-component.ts';
import type { Source } from './source.ts';
import { SupportPolicy } from './support-policy.ts';

/** Versions that the maintainers of the index deprecate by hand. */
const Deprecation = z.strictObject({
  versions: SelectedVersions,
  reason: documented(OneLine, 'Why, in a sentence for readers.', 'Loses data on restart.'),
  url: Advisory.shape.url,
  since: optionalKey(
    DaySchema,
    'The first day of the deprecation; always where absent.',
    '2026-01-31',
  ),
});

/** The releases to record, and their support. */
const releaseKeys = {
  prereleases: optionalKey(
    z.boolean(),
    'Whether prereleases are recorded: versions that upstream marks as such, or that look like 2.0-rc.1. Otherwise only those recorded by hand or by a removed source stay.',
    true,
  ),
  support: optionalKey(
    SupportPolicy,
    'How long releases are supported. Without a policy, no end is stated.',
    { policy: 'term', months: 18 },
  ),
  deprecated: optionalKey(
    z.array(Deprecation),
    'Versions to upgrade from, regardless of the policy.',
    [{ versions: ['3.4.1'], reason: 'Loses data on restart.', since: '2026-01-31' }],
  ),
  advisories: optionalKey(
    z.array(Advisory).max(1000),
    'Vulnerabilities of its versions. They deprecate nothing; Renovate proposes a fix without its waiting time.',
    [
      {
        id: 'CVE-2026-1234',
        affected: '>=2026.1 <2026.2.1',
        fixed: ['2026.2.1'],
        severity: 'high',
      },
    ],
  ),
};

/** `components/<component>.json`, written by hand. `source`: the schema of its sources. */
export function createDefinitionSchema(source: z.ZodType<Source>) {
  return z.strictObject({
    $schema: createSchemaKey('../site/schema/definition.json'),
    ...aboutKeys,
    sources: documented(
      checked(z.array(source), (sources, reject) => {
        if (Array.isArray(sources)) {
          rejectRepeated(sources, 'source', (index) => [index], reject);
        }
      }),
      'The sources of its releases. Several sources are merged by version; where they disagree, the first takes precedence. May be empty.',
      [{ datasource: 'npm', packageName: '@example/agent' }],
    ),
    ...releaseKeys,
    ...relationKeys,
  });
}
export type Definition = z.infer<ReturnType<typeof createDefinitionSchema>>;
