import * as z from 'zod';
import { ComponentName, Text } from '../scalars.ts';

export const PackageOwner = z.strictObject({
  component: ComponentName,
  extractVersion: Text.optional().meta({
    description:
      'What takes the version of the index out of one of the package: a regular expression of RE2 with the group "version". Absent where both are the same.',
  }),
});
export type PackageOwner = z.infer<typeof PackageOwner>;

/** `packages.json`. */
export const PackagesFile = z
  .strictObject({
    packages: z.record(z.string().regex(/^pkg:/), z.array(PackageOwner).min(1)).meta({
      description: 'The components that each package belongs to, under its package URL, alphabetical.',
    }),
  })
  .meta({
    description:
      'Which components packages belong to, by package URL (https://github.com/package-url/purl-spec) without a version. Every component is pkg:generic/<component> as well.',
  });
export type PackagesFile = z.infer<typeof PackagesFile>;
