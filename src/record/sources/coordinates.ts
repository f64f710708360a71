import { z } from 'zod';
import { documented } from '../../core/schemas/documented.ts';
import { UpstreamUrl } from '../../core/schemas/links.ts';
import { AllowedVersions, VersionExpression } from '../../core/schemas/source-fields.ts';

/** Fields that every source has in a definition. */
export const commonFields = {
  extractVersion: documented(
    VersionExpression.optional(),
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

/** The name of a package. */
export function packageName(pattern: RegExp, example: string) {
  const name = z
    .string()
    .max(300)
    .regex(pattern, { error: `expected a name such as ${example}` });
  return documented(name, 'What upstream calls the package.', example);
}

/** The coordinates of a package in a registry that a definition need not name. */
export function packageFields(
  pattern: RegExp,
  example: string,
  registry: { default: string; example: string },
) {
  return {
    packageName: packageName(pattern, example),
    registryUrl: documented(
      UpstreamUrl.optional(),
      `Address of the registry; ${registry.default} where absent.`,
      registry.example,
    ),
  };
}

export interface PackageCoordinates {
  packageName: string;
  registryUrl?: string | undefined;
}
