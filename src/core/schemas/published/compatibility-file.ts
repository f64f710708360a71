import * as z from 'zod';
import { ComponentName, LineName, PublishedVersion, Text } from '../scalars.ts';
import { Compatibility } from '../works-with.ts';

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
      .record(ComponentName, z.record(LineName, z.record(ComponentName, PublishedVersion)))
      .describe(
        'By component and line: the greatest release of each other component that works with its latest release.',
      ),
  })
  .describe('Which versions of components work together, as their publishers state it.');
export type CompatibilityFile = z.infer<typeof CompatibilityFile>;
