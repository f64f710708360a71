import { z } from 'zod';
import { parseAllowedRange } from '../../model/allowed-range.ts';
import { whyNoTransform } from '../../model/transform.ts';
import { compileExpression, whyNoExpression } from '../../text/expression.ts';

/** As in Renovate (lib/util/string-match.ts), which knows only the flag `i`. */
export const allowedVersionsPattern = /^(!?)\/(.*)\/(i?)$/;

/** `/regex/`, `!/regex/` or a semver range, as in Renovate's `allowedVersions`. */
export const AllowedVersions = checkedText(1000, (text) => {
  const pattern = allowedVersionsPattern.exec(text)?.[2];
  if (pattern) {
    return whyNoExpression(pattern);
  }

  return parseAllowedRange(text)
    ? undefined
    : 'expected /regex/, !/regex/ or a semver range such as ">=1.2.0 <2.0.0"';
});

/** A regular expression that RE2 compiles, with a group that names the version. */
export const VersionExpression = checkedText(1000, (text) => {
  const whyNot = whyNoExpression(text);
  if (whyNot !== undefined || compileExpression(text).groupNames.includes('version')) {
    return whyNot;
  }

  return 'expected a named group (?<version>…)';
});

/** An expression of JSONata that compiles. `gather` checks its result. */
export const Transform = checkedText(5000, whyNoTransform);

/** A text in which `findProblem` finds no problem. */
function checkedText(maxLength: number, findProblem: (text: string) => string | undefined) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .superRefine((text, context) => {
      const message = findProblem(text.slice(0, maxLength));
      if (message !== undefined) {
        context.addIssue({ code: 'custom', message });
      }
    });
}
