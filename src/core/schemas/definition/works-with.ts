import * as z from 'zod';
import { computeSpan, parseVersionRange } from '../../model/version-range.ts';
import { parseVersion } from '../../model/version.ts';
import {
  checked,
  ComponentName,
  createLineSchema,
  Line,
  optionalKey,
  RangeText,
  type Reject,
  VersionText,
  PublishedVersion,
  Text,
} from '../scalars.ts';
import { HttpsUrl } from '../urls.ts';

const Bound = VersionText.refine((text) => parseVersion(text) !== undefined, {
  error: 'expected a version such as 2025.1',
});

/** A statement on releases of one component and the versions of another that they work with. */
export const Compatibility = checked(
  z.strictObject({
    versions: optionalKey(
      RangeText,
      'Releases of this component: 4.5 is a line with its patches, =4.5 one release, several with ||, or comparisons. The recommended version where absent.',
      '4.0 || 4.1',
    ),
    from: optionalKey(
      Bound,
      'The least version of the other component: older ones do not work.',
      '2025.1',
    ),
    testedTo: optionalKey(
      Bound,
      'The greatest tested version of the other component: nothing is stated about later ones.',
      '2026.3',
    ),
    before: optionalKey(
      Bound,
      'The first version of the other component that does not work.',
      '2027.1',
    ),
    with: optionalKey(
      RangeText,
      'Instead of from, testedTo and before: the versions of the other component that work; all others do not.',
      '>=2024.1 <2024.3 || >=2025.1',
    ),
    feature: optionalKey(
      createLineSchema(200),
      'Limits the entry to one feature: with other versions, only this feature is missing.',
      'test distribution',
    ),
    reason: optionalKey(Line, 'Why, in a sentence for readers.', 'The protocol changed in 2025.1.'),
    url: optionalKey(HttpsUrl, 'The address of the statement.', 'https://example.com/agent/4.5'),
    recommended: optionalKey(
      Bound,
      'The version of this component to use with these versions of the other; nothing is stated about the rest.',
      '4.5.1',
    ),
  }),
  checkCompatibility,
);
export type Compatibility = z.infer<typeof Compatibility>;

/** Statements on other components, by their names. */
export const WorksWith = z.record(ComponentName, z.array(Compatibility).min(1).max(1000));
export type WorksWith = z.infer<typeof WorksWith>;

function checkCompatibility(
  { versions, recommended, from, testedTo, before, with: range }: any,
  reject: Reject,
): void {
  const hasBound = [from, testedTo, before].some((bound) => bound !== undefined);
  if (range !== undefined && hasBound) {
    reject(['with'], 'expected either with, or from, testedTo and before', 'both');
  }
  if (range === undefined && !hasBound) {
    reject([], 'expected at least one of from, testedTo, before and with', 'none of them');
  }
  if (versions === undefined && recommended === undefined) {
    reject(['versions'], 'expected the releases that the entry is about', 'nothing');
  }

  // An absent bound makes no range.
  for (const bounds of [
    `>=${from} <${before}`,
    `>=${from} <=${testedTo}`,
    `>=${testedTo} <${before}`,
  ]) {
    if (parseVersionRange(bounds)?.every(computeSpan) === false) {
      reject([], 'expected bounds with a version between them', bounds);
    }
  }
}

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
