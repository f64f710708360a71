import { z } from 'zod';
import { rangeProblem } from '../../model/range-forms.ts';
import { isInRange, parseVersionRange } from '../../model/version-range.ts';
import { compareVersions, parseVersion } from '../../model/version.ts';
import { documented } from '../documented.ts';
import { VersionText } from '../scalars.ts';

/** A range in the grammar of this index. */
export const RangeText = z
  .string()
  .max(10_000)
  .superRefine((text, context) => {
    const message = rangeProblem(text);
    if (message !== undefined) {
      context.addIssue({ code: 'custom', message });
    }
  });

/** Exact versions, or one range. */
export const SelectedVersions = documented(
  z.union([z.array(VersionText).min(1), RangeText]),
  'A list of exact versions, or one range: comparisons that all hold, || between alternatives, * for all; 1.2 is a line with its patches, =1.2 one version.',
  ['3.4.1'],
  '>=1.2.0 <2.0.0',
);
export type SelectedVersions = z.infer<typeof SelectedVersions>;

/** Whether a version is selected; exact versions match in every spelling. */
export function isSelected(versions: SelectedVersions): (version: string) => boolean {
  if (typeof versions === 'string') {
    const range = parseVersionRange(versions)!;
    return (version) => {
      const parsed = parseVersion(version);
      return parsed !== undefined && isInRange(range, parsed);
    };
  }

  const exact = new Set(versions);
  const parsed = versions.map(parseVersion).filter((version) => version !== undefined);
  return (version) => {
    const parsedVersion = parseVersion(version);
    return (
      exact.has(version) ||
      (parsedVersion !== undefined &&
        parsed.some((each) => compareVersions(each, parsedVersion) === 0))
    );
  };
}
