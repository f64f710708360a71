import { z } from 'zod';
import { placeholderProblems } from './changelog-template.ts';
import { componentName } from './component-name.ts';
import { HttpsUrl } from './links.ts';
import { DaySchema, Line, LineName, lineOf, VersionText } from './scalars.ts';
import { Source } from './source-schema.ts';
import { parseVersionRange } from '../version-range.ts';

const lineGroups = z
  .literal([1, 2])
  .optional()
  .meta({ description: 'How many digit groups make a release line; 2 where absent.' });

/** The rule by which release lines leave support. */
export const SupportPolicy = z.discriminatedUnion('policy', [
  z.strictObject({ policy: z.literal('none'), line: lineGroups }),
  z
    .strictObject({
      policy: z.literal('ended'),
      since: DaySchema.optional(),
      deprecatedFrom: DaySchema.optional(),
      reason: Line.optional(),
      line: lineGroups,
    })
    .refine(({ since, deprecatedFrom }) => !since || !deprecatedFrom || deprecatedFrom <= since, {
      path: ['deprecatedFrom'],
      error: 'expected no day after support has ended, since',
    }),
  z.strictObject({ policy: z.literal('term'), months: z.int().min(1).max(1200), line: lineGroups }),
  z.strictObject({
    policy: z.literal('latest-lines'),
    count: z.int().min(1).max(10_000),
    line: lineGroups,
  }),
  z.strictObject({
    policy: z.literal('dated'),
    lines: z
      .record(LineName, DaySchema)
      .refine((lines) => Object.keys(lines).length > 0, { error: 'expected at least one release line' }),
    line: lineGroups,
  }),
]);
export type SupportPolicy = z.infer<typeof SupportPolicy>;

/** Versions the maintainers of the index deprecate by hand: exact versions, or one semver range. */
export const Deprecation = z.strictObject({
  versions: z.union([
    z.array(VersionText).min(1),
    z
      .string()
      .min(1)
      .max(1000)
      .refine((range) => parseVersionRange(range) !== undefined, {
        error: 'expected a semver range such as ">=1.2.0 <2.0.0"',
      }),
  ]),
  reason: Line,
  url: HttpsUrl.optional(),
  since: DaySchema.optional(),
});
export type Deprecation = z.infer<typeof Deprecation>;

const ReleaseChangelogUrl = z.strictObject({
  template: HttpsUrl.superRefine((template, context) => {
    for (const message of placeholderProblems(template)) context.addIssue({ code: 'custom', message });
  }).meta({ description: 'An address with {version}, or {versionDashed} (dots as hyphens).' }),
  since: VersionText.optional().meta({ description: 'The oldest version that the template holds for.' }),
});

/** Also checks sources that are invalid in themselves, so that all problems are reported at once. */
function refuseTwins(sources: readonly Source[], context: z.RefinementCtx): void {
  const first = new Map<string, number>();
  for (const [index, source] of sources.entries()) {
    const text = JSON.stringify(source);
    const earlier = first.get(text);
    if (earlier === undefined) first.set(text, index);
    else {
      context.addIssue({
        code: 'custom',
        path: [index],
        message: `expected each source once; got the same as sources[${earlier}]`,
      });
    }
  }
}

/** `components/<component>.json`, written by hand. */
export const Definition = z.strictObject({
  $schema: z.string().optional(),
  title: lineOf(200),
  description: Line.optional(),
  homepage: HttpsUrl,
  changelogUrl: HttpsUrl,
  releaseChangelogUrl: ReleaseChangelogUrl.optional(),
  sources: z.array(Source).superRefine(refuseTwins, { when: ({ value }) => Array.isArray(value) }),
  prereleases: z.boolean().optional(),
  support: SupportPolicy.optional(),
  deprecated: z.array(Deprecation).optional(),
  ignoreUpstreamDeprecation: z.boolean().optional(),
  replacedBy: z.string().regex(componentName, { error: 'expected the name of a component' }).optional().meta({
    description: 'The component of this index to use instead. Renovate proposes it to whoever uses this one.',
  }),
});
export type Definition = z.infer<typeof Definition>;
