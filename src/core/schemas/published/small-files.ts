import * as z from 'zod';
import type { Query } from '../../query/parse.ts';
import { componentName } from '../definition/component-name.ts';
import { Compatibility } from '../definition/works-with.ts';
import { JournalEvent } from '../recorded/journal.ts';
import {
  ComponentName,
  HttpsUrl,
  Labels,
  PositiveCount,
  PublishedVersion,
  Text,
} from '../scalars.ts';

/** `supported/<component>.json`. */
export const SupportedFile = z
  .array(PublishedVersion)
  .describe('The latest release of each supported release line, oldest first.');

/** `badges/<component>.json` (https://shields.io/badges/endpoint-badge). */
export const BadgeFile = z
  .strictObject({
    schemaVersion: z.literal(1).describe('The version of this format of shields.io.'),
    label: Text.describe('The left half: the title of the component.'),
    message: Text.describe(
      'The right half: the latest version, "none supported" or "no releases".',
    ),
    color: z
      .string()
      .regex(/^#[0-9a-f]{6}$/)
      .describe(
        'Green: a release is supported. Grey: releases are only listed, or there is none. Red: none is supported.',
      ),
  })
  .describe('A badge for https://shields.io/badges/endpoint-badge.');
export type BadgeFile = z.infer<typeof BadgeFile>;

const Rule = z.record(z.string(), z.unknown());

/** `renovate.json`. Renovate's own schema, which it names, describes the rules in it (https://docs.renovatebot.com/config-presets/). */
export const PresetFile = z
  .strictObject({
    $schema: HttpsUrl.describe("The schema of Renovate's whole configuration."),
    description: z.array(Text).min(1).describe('The purpose of the preset.'),
    extends: z
      .array(Text)
      .min(1)
      .describe("Renovate's own managers for a comment above a version."),
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
          defaultRegistryUrlTemplate: Text.describe('Address of the releases of a package.'),
        }),
      )
      .describe('The datasource custom.<name>.'),
    packageRules: z.array(Rule).describe('Order of versions, and links to what changed.'),
  })
  .describe('A preset for Renovate: {"extends": ["<address of this file>"]} is all a user needs.');
export type PresetFile = z.infer<typeof PresetFile>;

/** `renovate/own.json` and `renovate/days.json`. */
export const FurtherPresetFile = PresetFile.pick({
  $schema: true,
  description: true,
  packageRules: true,
}).describe(
  'A preset for Renovate to extend after renovate.json. Its description says what it changes.',
);

/** An error, such as for an unknown address (RFC 9457). */
export const ProblemDetails = z
  .looseObject({
    type: Text.optional().describe('Kind of the problem; about:blank where absent.'),
    title: Text.describe('The problem, in a few words.'),
    status: z.int().min(400).max(599).describe('Status code of the answer.'),
    detail: Text.optional().describe('The problem with this request, and the remedy.'),
    parameter: Text.optional().describe('The parameter that is wrong.'),
    position: PositiveCount.optional().describe(
      'The first unexpected character of a query, from 1.',
    ),
    expected: Text.optional().describe('The expected value.'),
    instance: Text.optional().describe('The path that was asked for.'),
  })
  .describe('An error as application/problem+json (RFC 9457). It is not cached.');

export const PublishedNamedPolicy = z.strictObject({
  name: z.string().regex(componentName).describe('Its name in a scan.'),
  isBuiltIn: z.boolean().describe('Whether every index has it.'),
  description: Text.describe('Its condition, in a sentence.'),
  remediation: Text.describe('The advice for a release that does not satisfy it.'),
  labels: Labels.optional().describe('Notes for readers of results.'),
  query: Text.describe('A release satisfies the policy if this query selects it.'),
});
export type PublishedNamedPolicy = z.infer<typeof PublishedNamedPolicy>;

/** A policy whose query is parsed for a day. */
export interface ReadPolicy extends PublishedNamedPolicy {
  readonly selects: Query;
}

/** `policies.json`. */
export const PoliciesFile = z
  .strictObject({
    policies: z
      .array(PublishedNamedPolicy)
      .min(1)
      .describe('Built-in policies, then policies of this index, alphabetical.'),
  })
  .describe('The policies that a scan can check.');
export type PoliciesFile = z.infer<typeof PoliciesFile>;

/** An event of the journal, as it is published. */
export const PublishedChange = JournalEvent.extend({
  id: Text.describe(
    '<component>/<number>, with the first name of a renamed component. It never changes, so remember it to find what is new.',
  ),
  at: JournalEvent.shape.at.describe(
    'The instant at which the index recorded it; all events of one run have the same.',
  ),
  type: JournalEvent.shape.type.describe(
    'released: new in the index; deprecated, restored: a version, or all of a release line for one reason; support-announced, support-moved, support-dropped: the end of support of a release line; support-ending: 90, 30 or 7 days ahead; support-ended; withdrawn, relisted: upstream no longer lists it, which deprecates it, or lists it again; excluded, included: the definition no longer admits it, or admits it again; corrected: a recorded value changed; republished: other bytes under the same version; renamed, replaced: the component has a new name or a replacement; advisory-published, advisory-changed, advisory-withdrawn: an advisory on its releases.',
  ),
  component: ComponentName.describe('Name of the component at that time.'),
  text: Text.describe('The change, in a sentence.'),
});
export type PublishedChange = z.infer<typeof PublishedChange>;

/** `changes.json`. */
export const ChangesFile = z
  .strictObject({
    changes: z
      .array(PublishedChange)
      .max(1000)
      .describe('Newest first. The newest 1,000; changes/<year>.json has the earlier ones.'),
  })
  .describe('The changes of the index.');
export type ChangesFile = z.infer<typeof ChangesFile>;

/** `changes/<year>.json`. */
export const ChangesYearFile = z
  .strictObject({
    changes: z
      .array(PublishedChange)
      .min(1)
      .describe(
        'Newest first. All that was recorded in the year, or, of a year with more than 20 MiB, the newest.',
      ),
  })
  .describe('The changes of the index in a year.');
export type ChangesYearFile = z.infer<typeof ChangesYearFile>;

const Companion = z.strictObject({
  greatest: PublishedVersion.describe('The greatest release that works with it, as stated.'),
  recommended: PublishedVersion.optional().describe('The version that is recommended for it.'),
  newer: PublishedVersion.optional().describe('A greater release without a statement.'),
});

/** `compatibility.json`. */
export const CompatibilityFile = z
  .strictObject({
    statements: z
      .array(
        z.strictObject({
          component: ComponentName.describe('The component that states it.'),
          other: ComponentName.describe('The component that it is about.'),
          ...Compatibility.shape,
          vers: z
            .strictObject({
              versions: Text.describe('The releases of this component.'),
              with: Text.describe('The versions of the other component that work with them.'),
            })
            .describe('Both ranges as VERS strings (https://github.com/package-url/vers-spec).'),
        }),
      )
      .describe('Every statement, in the form of definitions.'),
    lines: z
      .record(ComponentName, z.record(PublishedVersion, z.record(ComponentName, Companion)))
      .describe(
        'By component and line: the releases of each other component that work with it. If a statement covers only a part of a line, each older part has a further key: its last release, unless that has the name of the line.',
      ),
  })
  .describe('Which versions of components work together, as their publishers state it.');
export type CompatibilityFile = z.infer<typeof CompatibilityFile>;
