import * as z from 'zod';
import { parseAllowedRange } from '../../model/allowed-range.ts';
import { compileExpression, ExpressionError } from '../../text/expression.ts';
import { compileTransform, TransformError } from '../../model/transform.ts';

/** As in Renovate (lib/util/string-match.ts), which knows only the flag `i`. */
export const allowedVersionsPattern = /^(!?)\/(.*)\/(i?)$/;

/** `/regex/`, `!/regex/` or a semver range, as in Renovate's `allowedVersions`. */
export const AllowedVersions = compiling(1000, (text) => {
  const pattern = allowedVersionsPattern.exec(text)?.[2];
  if (pattern) {
    compileExpression(pattern);
  } else if (!parseAllowedRange(text)) {
    throw new ExpressionError(
      'expected /regex/, !/regex/ or a semver range such as ">=1.2.0 <2.0.0"',
    );
  }
});

/** A regular expression that RE2 compiles, with a group that names the version. */
export const VersionExpression = compiling(1000, (text) => {
  if (!compileExpression(text).groupNames.includes('version')) {
    throw new ExpressionError('expected a named group (?<version>…)');
  }
});

/** An expression of JSONata that compiles. `gather` checks its result. */
export const Transform = compiling(5000, compileTransform);

/** A text that `compile` accepts. `compile` throws an `ExpressionError` or a `TransformError` otherwise. */
function compiling(maxLength: number, compile: (text: string) => unknown) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .superRefine((text, context) => {
      try {
        compile(text.slice(0, maxLength));
      } catch (error) {
        if (!(error instanceof ExpressionError || error instanceof TransformError)) {
          throw error;
        }

        context.addIssue({ code: 'custom', message: error.message });
      }
    });
}
