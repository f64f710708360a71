import * as z from 'zod';
import { parseAllowedRange, findTransformProblem } from '../../model/source-expressions.ts';
import { compileExpression, findExpressionProblem } from '../../text/expression.ts';
import { createTextSchema, documented, formName, optionalKey } from '../keys.ts';
import { UpstreamUrl } from '../urls.ts';

/**
 * A source of releases, release lines or advisories, with the keys that datasources share. Its adapter in `record/sources/` describes the others.
 */
export interface Source {
  datasource: string;
  packageName?: string | undefined;
  /** For a source of release lines. */
  product?: string | undefined;
  registryUrl?: string | undefined;
  /** The document, for releases outside a package registry. */
  url?: string | undefined;
  /** The version field to read, where an entry has two. */
  field?: string | undefined;
  /** For advisories: trusted although its publisher is not the publisher of the releases. */
  trusted?: boolean | undefined;
  extractVersion?: string | undefined;
  allowedVersions?: string | undefined;
  /** It lists only some of its releases. */
  onlyAdds?: boolean | undefined;
  /** It publishes other bytes under the same version. */
  rebuildsTags?: boolean | undefined;
}

/** Whether a source is OSV, which lists advisories and no releases. */
export function isOsv({ datasource }: Source): boolean {
  return datasource === 'osv';
}

/** `/^1\./i`, `!/rc/`: as in Renovate (lib/util/string-match.ts), which knows only the flag `i`. */
export const allowedVersionsPattern = /^(!?)\/(.*)\/(i?)$/;

const expressionForm = z.string().min(1).max(1000, { abort: true });

/** `/regex/`, `!/regex/` or a semver range, as in Renovate's `allowedVersions`. */
export const AllowedVersions = createTextSchema(expressionForm, (text) => {
  const pattern = allowedVersionsPattern.exec(text)?.[2];
  if (pattern) {
    return findExpressionProblem(pattern);
  }

  return parseAllowedRange(text)
    ? undefined
    : 'expected /regex/, !/regex/ or a semver range such as ">=1.2.0 <2.0.0"';
});

/** A regular expression that RE2 compiles, with a group that names the version. */
export const VersionExpression = createTextSchema(expressionForm, (text) => {
  const problem = findExpressionProblem(text);
  if (problem !== undefined) {
    return problem;
  }

  const hasVersion = compileExpression(text).groupNames.includes('version');
  return hasVersion ? undefined : 'expected a named group (?<version>…)';
});

/** An expression of JSONata that compiles. `gather` checks its result. */
export const Transform = createTextSchema(
  z.string().min(1).max(5000, { abort: true }),
  findTransformProblem,
);

/** A source that states the support of release lines. */
export const SupportSource = z.discriminatedUnion('datasource', [
  z.strictObject({
    datasource: formName(
      'endoflife-date',
      'A product of endoflife.date, or of a site with its API.',
    ),
    product: documented(
      z
        .string()
        .max(100)
        .regex(/^\w[\w.+-]*$/, { error: 'expected the name of a product such as postgresql' }),
      'The name of the product at endoflife.date.',
      'postgresql',
    ),
    registryUrl: optionalKey(
      UpstreamUrl,
      'Address of the API, without v1; endoflife.date where absent.',
      'https://endoflife.date/api/',
    ),
  }),
  z.strictObject({
    datasource: formName('json', 'Any document in JSON.'),
    url: documented(UpstreamUrl, 'Address of the document.', 'https://api.example.com/support'),
    transform: documented(
      Transform,
      'An expression of JSONata that turns the document into an object with lines: objects with line, phases, and optionally lts and firstReleaseDate. In phases, each name has the last day of the phase, or an object with until and paid.',
      '{"lines": items.{"line": name, "phases": {"support": end}}}',
    ),
  }),
]);
export type SupportSource = z.infer<typeof SupportSource>;
