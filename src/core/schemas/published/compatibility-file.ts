import * as z from 'zod';
import { Compatibility } from '../definition/works-with.ts';
import { optionalKey } from '../keys.ts';
import { ComponentName, PublishedVersion, Text } from '../scalars.ts';

const Companion = z.strictObject({
  greatest: PublishedVersion.describe('The greatest release that works with it, as stated.'),
  recommended: optionalKey(PublishedVersion, 'The version that is recommended for it.'),
  newer: optionalKey(PublishedVersion, 'A greater release without a statement.'),
});
export type Companion = z.infer<typeof Companion>;

/** `compatibility.json`. */
export const CompatibilityFile = z.strictObject({
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
      'By component and line: the releases of each other component that work with the newest release of the line. Where statements divide a line, each older part is listed by the version of its last release, unless that is the name of the line.',
    ),
});
export type CompatibilityFile = z.infer<typeof CompatibilityFile>;
