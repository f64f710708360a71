import { z } from 'zod';
import { compileExpression, ExpressionError } from '../expression.ts';
import { compileTransform, TransformError } from '../transform.ts';
import { parseVersionRange } from '../version-range.ts';
import { documented } from './documented.ts';
import { UpstreamUrl } from './links.ts';

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
      const refuse = (message: string) => context.addIssue({ code: 'custom', message });
      try {
        const { groupNames } = compileExpression(text);
        for (const group of groups) {
          if (!groupNames.includes(group)) refuse(`expected a named group (?<${group}>…)`);
        }
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        refuse(error.message);
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

export const common = {
  extractVersion: documented(
    regularExpression('version').optional(),
    'Takes the version out of what upstream lists: a regular expression with the group version. What it does not match is left out.',
    '^v(?<version>.+)$',
  ),
  allowedVersions: documented(
    AllowedVersions.optional(),
    'Which versions are taken: /regex/, !/regex/ or a semver range, in which 2025.3 counts as 2025.3.0. The others are left out of the site, also if they are recorded.',
    '/^\\d/',
    '>=1.2.0',
  ),
};

export function datasourceName<D extends string>(name: D) {
  return documented(z.literal(name), 'Where the releases are read.', name);
}

export function packageName(pattern: RegExp, example: string) {
  const name = z
    .string()
    .max(300)
    .regex(pattern, { error: `expected a name such as ${example}` });
  return documented(name, 'What upstream calls the package.', example);
}

/** A package of a registry, which has a default. */
export function packageSource<D extends string>(
  datasource: D,
  pattern: RegExp,
  example: string,
  registry: { default: string; example: string },
) {
  return z.strictObject({
    datasource: datasourceName(datasource),
    packageName: packageName(pattern, example),
    registryUrl: documented(
      UpstreamUrl.optional(),
      `Address of the registry; ${registry.default} where absent.`,
      registry.example,
    ),
    ...common,
  });
}
