import * as z from 'zod';
import { compileExpression, ExpressionError } from '../expression.ts';
import { compileTransform, TransformError } from '../transform.ts';
import { parseVersionRange } from '../version-range.ts';

/** As Renovate's (lib/util/string-match.ts): the one flag that it knows is `i`. */
export const allowedVersionsPattern = /^(!?)\/(.*)\/(i?)$/;

/** `/regex/`, `!/regex/` or a semver range, as Renovate's `allowedVersions`. */
export const AllowedVersions = z
  .string()
  .min(1)
  .max(1000)
  .superRefine((text, context) => {
    const pattern = allowedVersionsPattern.exec(text);
    if (pattern) {
      const check = regularExpression().safeParse(pattern[2]);
      if (!check.success) context.addIssue({ code: 'custom', message: check.error.issues[0]!.message });
    } else if (!parseVersionRange(text)) {
      context.addIssue({
        code: 'custom',
        message: 'expected /regex/, !/regex/ or a semver range such as ">=1.2.0 <2.0.0"',
      });
    }
  });

/** A regular expression that RE2 compiles and that has the named groups it needs. */
export function regularExpression(...groups: string[]) {
  return z
    .string()
    .min(1)
    .max(1000)
    .superRefine((text, context) => {
      const reject = (message: string) => context.addIssue({ code: 'custom', message });
      try {
        const { groupNames } = compileExpression(text);
        for (const group of groups) {
          if (!groupNames.includes(group)) reject(`expected a named group (?<${group}>…)`);
        }
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        reject(error.message);
      }
    });
}

/** An expression of JSONata that compiles. What it does with a document is seen when it is gathered. */
export const Transform = z
  .string()
  .min(1)
  .max(5000)
  .superRefine((text, context) => {
    try {
      compileTransform(text);
    } catch (error) {
      if (!(error instanceof TransformError)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
    }
  });
