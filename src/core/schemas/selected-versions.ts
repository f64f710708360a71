import * as z from 'zod';
import { parseVersionRange } from '../version-range.ts';
import { compareVersions, parseVersion } from '../version.ts';
import { documented } from './documented.ts';
import { VersionText } from './scalars.ts';

/** Exact versions, or one semver range. */
export const SelectedVersions = documented(
  z.union([
    z.array(VersionText).min(1),
    z
      .string()
      .min(1)
      .max(1000)
      .refine((range) => parseVersionRange(range) !== undefined, {
        error: 'expected a semver range such as ">=1.2.0 <2.0.0"',
      }),
  ]),
  'A list of exact versions, or one semver range, in which 2025.3 counts as 2025.3.0.',
  ['3.4.1'],
  '>=1.2.0 <2.0.0',
);
export type SelectedVersions = z.infer<typeof SelectedVersions>;

/** Whether a version is among them; exact ones also where it is spelt in another way. */
export function isSelected(versions: SelectedVersions): (version: string) => boolean {
  if (typeof versions === 'string') return parseVersionRange(versions)!;
  const exact = new Set(versions);
  const parsed = versions.map(parseVersion).filter((version) => version !== undefined);
  return (version) => {
    const own = parseVersion(version);
    return (
      exact.has(version) || (own !== undefined && parsed.some((each) => compareVersions(each, own) === 0))
    );
  };
}
