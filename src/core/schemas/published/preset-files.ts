import * as z from 'zod';
import { Text } from '../scalars.ts';
import { HttpsUrl } from '../urls.ts';

const Rule = z.record(z.string(), z.unknown());

/** `renovate.json`. Its `$schema` is Renovate's own, which describes the rules (https://docs.renovatebot.com/config-presets/). */
export const PresetFile = z
  .strictObject({
    $schema: HttpsUrl.describe("The schema of Renovate's whole configuration."),
    description: z.array(Text).min(1).describe('The purpose of the preset.'),
    extends: z
      .array(Text)
      .min(1)
      .describe("Renovate's presets that read a comment above a version."),
    customManagers: z
      .array(
        z.looseObject({
          managerFilePatterns: z.array(Text).describe('The files that it reads.'),
          matchStrings: z
            .array(Text)
            .describe('Expressions of a comment and the version below it.'),
        }),
      )
      .min(1)
      .describe('Reads the comment in files for which Renovate has no manager of its own.'),
    customDatasources: z
      .record(
        z.string().regex(/^[a-z0-9-]+$/),
        z.looseObject({
          defaultRegistryUrlTemplate: Text.describe(
            'Address of the releases of a package, as a template.',
          ),
        }),
      )
      .describe('The datasource, under the name that users write after custom.'),
    packageRules: z
      .array(Rule)
      .describe('How Renovate orders and proposes versions, and what it says about them.'),
  })
  .describe('A preset for Renovate: {"extends": ["<address of this file>"]} is all a user needs.');

/** `renovate/own.json` and `renovate/days.json`. */
export const FurtherPresetFile = PresetFile.pick({
  $schema: true,
  description: true,
  packageRules: true,
}).describe(
  'A preset for Renovate to extend after renovate.json. Its description says what it changes.',
);
