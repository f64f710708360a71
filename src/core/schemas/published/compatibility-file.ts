import * as z from 'zod';
import { ComponentName, PublishedVersion, Text } from '../scalars.ts';
import { Compatibility } from '../definition/works-with.ts';

const Companion = z.strictObject({
  greatest: PublishedVersion.describe('The greatest release that is stated to work with it.'),
  recommended: PublishedVersion.optional().describe('The version that is recommended for it.'),
  newer: PublishedVersion.optional().describe('A greater release of which nothing is stated.'),
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
              versions: Text.describe('The releases that state it.'),
              with: Text.describe('The versions of the other that they are stated to work with.'),
            })
            .describe('Both ranges as VERS strings (https://github.com/package-url/vers-spec).'),
        }),
      )
      .describe('Every statement, in the form of definitions.'),
    lines: z
      .record(ComponentName, z.record(PublishedVersion, z.record(ComponentName, Companion)))
      .describe(
        'By component and line: what goes with it of each other component. A line that a statement parts has a further key for each older part: the last release of it.',
      ),
  })
  .describe('Which versions of components work together, as their publishers state it.');
export type CompatibilityFile = z.infer<typeof CompatibilityFile>;
