import * as z from 'zod';
import { HttpsUrl } from '../links.ts';
import { ComponentName, PublishedVersion, Text } from '../scalars.ts';

/** `badges/<component>.json` (https://shields.io/badges/endpoint-badge). */
export const BadgeFile = z
  .strictObject({
    schemaVersion: z.literal(1).meta({ description: 'The version of this format of shields.io.' }),
    label: ComponentName.meta({ description: 'The left half: the name of the component.' }),
    message: Text.meta({
      description: 'The right half: the latest version, "none supported" or "no releases".',
    }),
    color: z
      .string()
      .regex(/^#[0-9a-f]{6}$/)
      .meta({
        description:
          'Green where a release is supported, grey where releases are only listed or there is none, red where none is supported.',
      }),
  })
  .meta({ description: 'A badge for https://shields.io/badges/endpoint-badge.' });
export type BadgeFile = z.infer<typeof BadgeFile>;

const LinkTemplate = z
  .string()
  .regex(/^https:\/\/\S/, { error: 'expected an https: address with placeholders' });

/** `renovate.json`: the part of Renovate's configuration that the preset uses (https://docs.renovatebot.com/config-presets/). */
export const PresetFile = z
  .strictObject({
    $schema: HttpsUrl.meta({ description: "The schema of Renovate's whole configuration." }),
    description: z.array(Text).min(1).meta({ description: 'What the preset is for.' }),
    extends: z
      .array(Text)
      .min(1)
      .meta({ description: "Renovate's own managers for a comment above a version." }),
    customManagers: z
      .array(
        z.strictObject({
          customType: z.literal('regex').meta({ description: 'It is made of regular expressions.' }),
          managerFilePatterns: z.array(Text).min(1).meta({ description: 'The files it reads.' }),
          matchStrings: z
            .array(Text)
            .min(1)
            .meta({ description: 'Find a comment, and the version on the next line.' }),
        }),
      )
      .min(1)
      .meta({ description: 'Reads the comment in files for which Renovate has no manager of its own.' }),
    customDatasources: z
      .record(
        z.string().regex(/^[a-z0-9-]+$/),
        z.strictObject({
          defaultRegistryUrlTemplate: Text.meta({
            description: 'Address of the release file of the package that Renovate asks for.',
          }),
          format: z.literal('json').meta({ description: 'The release files are JSON.' }),
          transformTemplates: z.array(Text).min(1).meta({
            description: 'JSONata that leaves deprecated releases out, so that none is ever proposed.',
          }),
        }),
      )
      .meta({ description: 'The datasource custom.<name>.' }),
    packageRules: z
      .array(
        z.strictObject({
          matchDatasources: z
            .array(Text)
            .min(1)
            .meta({ description: 'The datasource that the rule is for.' }),
          matchPackageNames: z
            .array(ComponentName)
            .min(1)
            .optional()
            .meta({ description: 'The components that the rule is for; absent: all.' }),
          matchManagers: z
            .array(Text)
            .min(1)
            .optional()
            .meta({ description: 'The rule is for versions under a comment only.' }),
          matchUpdateTypes: z
            .array(z.literal('replacement'))
            .min(1)
            .optional()
            .meta({ description: 'The rule is for the replacement of a component only.' }),
          matchNewValue: z
            .string()
            .regex(/^\/\^.*\$\/$/)
            .optional()
            .meta({ description: 'The proposed versions that the rule is for; absent: all.' }),
          matchJsonata: z
            .array(Text)
            .min(1)
            .optional()
            .meta({ description: 'The rule is for versions that fix an advisory only.' }),
          minimumReleaseAge: z
            .literal('0 days')
            .optional()
            .meta({ description: 'Such a version is proposed at once.' }),
          addLabels: z
            .array(Text)
            .min(1)
            .optional()
            .meta({ description: 'Labels of its pull request, beside those of the user.' }),
          versioning: Text.optional().meta({
            description: 'The order of versions; one that knows none where only a replacement is proposed.',
          }),
          rollbackPrs: z.literal(false).optional().meta({
            description: 'A deprecated version in use is not taken for one that does not exist.',
          }),
          maxMajorIncrement: z
            .literal(0)
            .optional()
            .meta({ description: 'No leap is too far: calendar versions may follow semantic ones.' }),
          replacementName: ComponentName.optional().meta({
            description: 'The component that is proposed instead.',
          }),
          replacementVersion: PublishedVersion.optional().meta({
            description: 'The newest supported version of that component.',
          }),
          changelogUrl: LinkTemplate.optional().meta({
            description: 'Template of the address of what changed in a release, shown in pull requests.',
          }),
        }),
      )
      .meta({ description: 'Order of versions, and links to what changed.' }),
  })
  .meta({
    description: 'A preset for Renovate: {"extends": ["<address of this file>"]} is all a user needs.',
  });
export type PresetFile = z.infer<typeof PresetFile>;

/** The answer to a request that cannot be answered, such as to an address that there is not (RFC 9457). */
export const Problem = z
  .looseObject({
    type: Text.optional().meta({ description: 'Kind of the problem; about:blank where absent.' }),
    title: Text.meta({ description: 'The problem, in a few words.' }),
    status: z.int().min(400).max(599).meta({ description: 'Status code of the answer.' }),
    detail: Text.optional().meta({ description: 'The problem with this request, and the remedy.' }),
    parameter: Text.optional().meta({ description: 'The parameter that is wrong.' }),
    position: z.int().min(1).optional().meta({
      description: 'Of a query: the character from which on something else was expected, from 1.',
    }),
    expected: Text.optional().meta({ description: 'What was expected of it.' }),
    instance: Text.optional().meta({ description: 'The path that was asked for.' }),
  })
  .meta({ description: 'An error as application/problem+json (RFC 9457). It is not cached.' });
