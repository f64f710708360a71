/** Generates random versions as people write them, and texts that are almost versions. */
import * as fc from 'fast-check';
import { maxVersionLength } from '../../src/core/version.ts';

const digits = fc.oneof(
  fc.nat(12).map(String),
  fc.nat(3000).map(String),
  fc.stringMatching(/^0{0,3}\d{1,3}$/),
  fc.stringMatching(/^\d{15,40}$/),
  // Integers around 2^26 and around 2^53. Above 2^53, JavaScript rounds integers: 9007199254740993 → 9007199254740992.
  fc.constantFrom('67108863', '67108864', '9007199254740992', '9007199254740993'),
);
const suffixWords = ['-rc', '-rc-', '-rc.', '.Final', '-M', 'b', '+build.', '_', '-', '.', '-RC-'];
const suffix = fc.oneof(
  fc.constant(''),
  fc.tuple(fc.constantFrom(...suffixWords), digits).map((parts) => parts.join('')),
  fc.string({ maxLength: 8 }),
);

export const versionText = fc
  .tuple(
    fc.constantFrom('', '', 'v', 'V'),
    fc.array(digits, { minLength: 1, maxLength: 6 }),
    suffix,
  )
  .map(([prefix, groups, rest]) => prefix + groups.join('.') + rest)
  .filter((text) => text.length <= maxVersionLength);
