import * as z from 'zod';
import { Advisory } from './advisory.ts';
import { wrongPlaceholder } from './changelog-template.ts';
import { checked, documented, schemaAddress } from './documented.ts';
import { componentName, reservedNames } from './component-name.ts';
import { Identifiers } from './identifiers.ts';
import { HttpsUrl } from './links.ts';
import { DaySchema, Labels, Line, lineOf, VersionText } from './scalars.ts';
import { SelectedVersions } from './selected-versions.ts';
import type { Source } from './source.ts';
import { SupportPolicy } from './support-policy.ts';
import { upgradeRules } from './upgrades.ts';
import { WorksWith } from './works-with.ts';

/** Versions the maintainers of the index deprecate by hand: exact versions, or one range. */
export const Deprecation = z.strictObject({
  versions: SelectedVersions,
  reason: documented(Line, 'Why, in a sentence for readers.', 'Loses data on restart.'),
  url: documented(HttpsUrl.optional(), 'An address to read more.', 'https://example.com/advisories/1'),
  since: documented(
    DaySchema.optional(),
    'The first day on which it holds; always where absent.',
    '2026-01-31',
  ),
});
export type Deprecation = z.infer<typeof Deprecation>;

const ReleaseChangelogUrl = z.strictObject({
  template: documented(
    HttpsUrl.superRefine((template, context) => {
      const got = wrongPlaceholder(template);
      const message = 'expected the placeholders {version} and {versionDashed}';
      if (got !== undefined) context.addIssue({ code: 'custom', message, params: { got } });
    }),
    'An address with {version}, or {versionDashed} (dots as hyphens).',
    'https://example.com/release-history/#{versionDashed}',
  ),
  since: documented(
    VersionText.optional(),
    'The oldest version that the template holds for; all where absent.',
    '1.21',
  ),
});

const NameOfComponent = z.string().regex(componentName, { error: 'expected the name of a component' });

/** `components/<component>.json`, written by hand, with the sources that the schema describes. */
export function definitionSchema(source: z.ZodType<Source>) {
  return z.strictObject({
    $schema: schemaAddress('../site/schema/definition.json'),
    title: documented(lineOf(200), 'The name of the component for people.', 'Build agent for Maven'),
    aliases: documented(
      z.array(lineOf(100)).min(1).max(10).optional(),
      'Further names that people use: whoever writes one finds this component. No other component may be called so.',
      ['Example Agent'],
    ),
    description: documented(
      Line.optional(),
      'A description in a sentence.',
      'Connects Maven builds to the server.',
    ),
    homepage: documented(HttpsUrl, 'The documentation of the component.', 'https://example.com/agent/'),
    sourceRepository: documented(
      HttpsUrl.optional(),
      'The repository that its releases are built from. Where absent, that which `homepage` or a source names.',
      'https://github.com/example/agent',
    ),
    changelogUrl: documented(
      HttpsUrl,
      'The release history of the component.',
      'https://example.com/agent/release-history/',
    ),
    releaseChangelogUrl: documented(
      ReleaseChangelogUrl.optional(),
      'The description of a single release, if its address follows from the version. An address that upstream states takes precedence.',
      { template: 'https://example.com/release-history/#{versionDashed}', since: '1.21' },
    ),
    sources: documented(
      checked(z.array(source), (sources: unknown[], reject) => {
        const texts = Array.isArray(sources) ? sources.map((one) => JSON.stringify(one)) : [];
        for (const [index, text] of texts.entries())
          if (texts.indexOf(text) < index)
            reject([index], 'expected each source once', `the same as sources[${texts.indexOf(text)}]`);
      }),
      'The sources of its releases. Those of several sources are united by version; the first wins where they disagree. May be empty: then nothing is asked.',
      [{ datasource: 'npm', packageName: '@example/agent' }],
    ),
    identifiers: documented(
      Identifiers.optional(),
      'What else it is called: scans, answers and tools find it by these as well. No other component may have one of them.',
      { purl: ['pkg:docker/example/agent'] },
    ),
    prereleases: documented(
      z.boolean().optional(),
      'Whether prereleases are taken: what upstream calls one, or a version such as 2.0-rc.1. They are left out where absent.',
      true,
    ),
    support: documented(
      SupportPolicy.optional(),
      'How long releases are supported. Without it they are listed: nobody promises anything.',
      { policy: 'term', months: 18 },
    ),
    notice: documented(
      z
        .strictObject({
          months: documented(z.int().min(1).max(120), 'Calendar months between announcement and end.', 6),
        })
        .optional(),
      'How many months before it an end of support is announced. The command "check" warns of an end that is announced or moved later than that.',
      { months: 6 },
    ),
    deprecated: documented(
      z.array(Deprecation).optional(),
      'Versions to move off, whatever the policy says.',
      [{ versions: ['3.4.1'], reason: 'Loses data on restart.', since: '2026-01-31' }],
    ),
    advisories: documented(
      z.array(Advisory).max(1000).optional(),
      'Vulnerabilities of its versions. They deprecate nothing; Renovate proposes a fix at once, whatever age it waits for otherwise.',
      [{ id: 'CVE-2026-1234', affected: '>=2026.1 <2026.2.1', fixed: ['2026.2.1'], severity: 'high' }],
    ),
    worksWith: documented(
      WorksWith.optional(),
      'The versions of other components of this index that its releases work with, by the name of the other.',
      { svc: [{ versions: '4.5', from: '2026.2', testedTo: '2026.3' }] },
    ),
    ...upgradeRules,
    ignoreUpstreamDeprecation: documented(
      z.boolean().optional(),
      'Whether versions that upstream calls deprecated are not deprecated here for that reason.',
      true,
    ),
    labels: documented(
      Labels.optional(),
      'Whatever a query may ask for beside what an index knows by itself: label:team=build.',
      { team: 'build' },
    ),
    renamedFrom: documented(
      z
        .array(
          NameOfComponent.refine((name) => !reservedNames.has(name), {
            error: 'expected a name that no published path has',
          }),
        )
        .min(1)
        .max(20)
        .optional(),
      'Earlier names of the component, the oldest first, which stays in the ids of its changes. Its machine files stay published under all of them with the same releases, and their pages point to its page.',
      ['old-agent'],
    ),
    replacedBy: documented(
      NameOfComponent.optional(),
      'The component of this index to use instead. Renovate proposes it to whoever uses this one.',
      'new-agent',
    ),
  });
}
export type Definition = z.infer<ReturnType<typeof definitionSchema>>;
