import * as z from 'zod';
import { compareToBound, isInRange, parseVersionRange } from '../../model/version-range.ts';
import { parseVersion } from '../../model/version.ts';
import { ComponentName, createLineSchema, OneLine, OrderedVersion, RangeText } from '../scalars.ts';
import { checked, optionalKey, type Fields, type Reject } from '../keys.ts';
import { HttpsUrl } from '../urls.ts';

/** A statement on releases of one component and the versions of another that they work with. */
export const Compatibility = checked(
  z.strictObject({
    versions: optionalKey(
      RangeText,
      'Releases of this component: 4.5 is a line with its patches, =4.5 one release, several with ||, or comparisons. The recommended version where absent.',
      '4.0 || 4.1',
    ),
    from: optionalKey(
      OrderedVersion,
      'The least version of the other component: older ones do not work.',
      '2025.1',
    ),
    testedTo: optionalKey(
      OrderedVersion,
      'The greatest tested version of the other component: nothing is stated about later ones.',
      '2026.3',
    ),
    before: optionalKey(
      OrderedVersion,
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
    reason: optionalKey(
      OneLine,
      'Why, in a sentence for readers.',
      'The protocol changed in 2025.1.',
    ),
    url: optionalKey(HttpsUrl, 'The address of the statement.', 'https://example.com/agent/4.5'),
    recommended: optionalKey(
      OrderedVersion,
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
  { versions, recommended, from, testedTo, before, with: works }: Fields,
  reject: Reject,
): void {
  const hasBound = [from, testedTo, before].some((bound) => bound !== undefined);
  if (works !== undefined && hasBound) {
    reject(['with'], 'expected either with, or from, testedTo and before', 'both');
  }
  if (works === undefined && !hasBound) {
    reject([], 'expected at least one of from, testedTo, before and with', 'none of them');
  }
  if (versions === undefined && recommended === undefined) {
    reject(['versions'], 'expected the releases that the entry is about', 'nothing');
  }

  // An absent or invalid value is another finding.
  const [least, tested, end, stated] = [from, testedTo, before, recommended].map((text) =>
    typeof text === 'string' ? parseVersion(text) : undefined,
  );
  const range = typeof versions === 'string' ? parseVersionRange(versions) : undefined;
  if (range && stated && !isInRange(range, stated)) {
    reject(['recommended'], 'expected one of versions');
  }
  if (least && tested && compareToBound(tested, least) < 0) {
    reject(['testedTo'], `expected a version from ${least.text} on`);
  }

  const last = tested ?? least;
  if (last && end && compareToBound(end, last) <= 0) {
    reject(['before'], `expected a version above ${last.text}`);
  }
}
