import * as z from 'zod';
import { isDigest } from '../../model/digest.ts';
import { parseImage } from '../../model/images.ts';
import { findQualifiers, isPurl, listQualifierValues, parsePurl } from '../../model/purl.ts';
import { documented, optionalKey } from '../keys.ts';
import { ComponentName, createLineSchema, Labels, OneLine, OrderedVersion } from '../scalars.ts';
import { HttpsUrl } from '../urls.ts';
import { findNameProblem } from './component-name.ts';
import { WorksWith } from './works-with.ts';

/** The addresses of the changelogs of releases, where the version determines them. */
const ReleaseChangelogUrl = z.strictObject({
  template: documented(
    HttpsUrl.superRefine(checkTemplate),
    'An address with {version}, or {versionDashed} (dots as hyphens).',
    'https://example.com/release-history/#{versionDashed}',
  ),
  since: optionalKey(
    OrderedVersion,
    'The oldest version with such an address; all where absent.',
    '1.21',
  ),
});

/** Rejects a template without a placeholder, and one with other braces. */
function checkTemplate(template: string, context: z.RefinementCtx): void {
  const rest = template.replaceAll(/\{version(?:Dashed)?\}/g, '');
  const [unknown] = /\{[^{}]*\}?|\}/.exec(rest) ?? [];
  if (rest === template || unknown !== undefined) {
    const message = 'expected {version} or {versionDashed}, and no other braces';
    context.addIssue({ code: 'custom', message, params: { got: unknown ?? 'none' } });
  }
}

/** Maximum number of aliases of a component. */
export const maxAliases = 10;

/** A package URL among the names is a package of the component, and a component has no version. */
export const Alias = createLineSchema(200).refine(
  (text) => (isPurl(text) ? namesPackage(text) : !isDigest(parseImage(text)?.digest ?? '')),
  { error: 'expected a name, or a package URL without a version such as pkg:docker/example/agent' },
);

/** Whether a package URL is readable and names all versions: those of an image may also be a tag or a digest behind `?`. */
function namesPackage(text: string): boolean {
  const purl = parsePurl(text);
  const qualifiers = findQualifiers(text);
  return (
    purl !== undefined &&
    purl.version === undefined &&
    ['tag', 'digest'].every((key) => listQualifierValues(qualifiers, key).length === 0)
  );
}

const At = documented(
  OrderedVersion,
  'A release line stands for its latest release; a version for itself or a later one of its line.',
  '15.11',
);

/** A release that no upgrade may skip: a line or a version, as a text or with the reason. */
export const UpgradeStop = z.union([
  At,
  z.strictObject({
    at: At,
    reason: optionalKey(OneLine, 'Why, in a sentence for readers.', 'It migrates the database.'),
    url: optionalKey(
      HttpsUrl,
      'The address of further information.',
      'https://example.com/upgrade/15.11',
    ),
  }),
]);
export type UpgradeStop = z.infer<typeof UpgradeStop>;

/** The names and addresses of a component. */
export const aboutKeys = {
  title: documented(
    createLineSchema(200),
    'The name of the component for people.',
    'Build agent for Maven',
  ),
  aliases: optionalKey(
    z.array(Alias).min(1).max(maxAliases),
    'Further names that people and build files use, and further package URLs without a version. Each belongs to one component.',
    ['Example Agent', 'com.example.agent', 'pkg:docker/example/agent'],
  ),
  description: optionalKey(
    OneLine,
    'A description in a sentence.',
    'Connects Maven builds to the server.',
  ),
  homepage: documented(
    HttpsUrl,
    'The documentation of the component.',
    'https://example.com/agent/',
  ),
  sourceRepository: optionalKey(
    HttpsUrl,
    'The repository that its releases are built from.',
    'https://github.com/example/agent',
  ),
  changelogUrl: documented(
    HttpsUrl,
    'The release history of the component.',
    'https://example.com/agent/release-history/',
  ),
  releaseChangelogUrl: optionalKey(
    ReleaseChangelogUrl,
    'The address of the changelog of one release, where the version determines it. An address that upstream states takes precedence.',
    { template: 'https://example.com/release-history/#{versionDashed}', since: '1.21' },
  ),
};

/** Other components, upgrades, other names, and facts of the index's own. */
export const relationKeys = {
  worksWith: optionalKey(
    WorksWith,
    'The versions of other components of this index that its releases work with, by the name of the other component.',
    { svc: [{ versions: '4.5', from: '2026.2', testedTo: '2026.3' }] },
  ),
  upgradeStops: optionalKey(
    z.array(UpgradeStop).min(1).max(200),
    'Releases that no upgrade may skip, in any order. An older version is upgraded to the next of them first.',
    ['15.11', { at: '16.3', reason: 'It migrates the database.' }],
  ),
  ignoreUpstreamDeprecation: optionalKey(
    z.boolean(),
    'Ignores deprecations that upstream states.',
    true,
  ),
  labels: optionalKey(Labels, 'Your own facts for queries, such as label:team=build.', {
    team: 'build',
  }),
  renamedFrom: optionalKey(
    z
      .array(
        ComponentName.refine((name) => findNameProblem(name) === undefined, {
          error: 'expected a name that no published path and no device of Windows has',
        }),
      )
      .min(1)
      .max(20),
    'Earlier names of the component, the oldest first; ids of its changes keep the oldest. Its files stay published under all of them, and pages there point to its page.',
    ['old-agent'],
  ),
  replacedBy: optionalKey(
    ComponentName,
    'The component of this index to use instead. Renovate proposes it to users of this one.',
    'new-agent',
  ),
};
