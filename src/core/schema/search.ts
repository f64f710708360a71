/** `search/<number>.json`: what queries read of releases, in columns. */
import * as z from 'zod';
import { ComponentName } from './scalars.ts';

const Value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

const Column = z.strictObject({
  values: z
    .array(Value)
    .describe('Each once; without at, one is that of all releases, and several are of one each.'),
  at: z
    .array(z.int().min(0))
    .optional()
    .describe(
      'The place of the value of each release; just behind the last, there is none, and behind that, it is unknown.',
    ),
});

const SearchedReleases = z.strictObject({
  size: z.int().min(0),
  columns: z
    .record(z.string(), Column)
    .describe('By field of queries; one that is absent is unknown, and one without values none.'),
});
export type SearchedColumn = z.infer<typeof Column>;

/** Without what `status.json` says of a component, and what follows from the day. */
export const Search = z.strictObject({
  components: z.record(ComponentName, SearchedReleases),
});
export type Search = z.infer<typeof Search>;
