import { allowedVersionsPattern, maxLengths, packageNameForms } from '../forms.ts';
import { expressionProblems } from '../regular-expression.ts';
import type { Datasource, SourceOf } from '../source-schema.ts';
import {
  httpsUrl,
  line,
  listOf,
  oneKindOf,
  oneOf,
  record,
  text,
  timestamp,
  upstreamUrl,
  version,
  type Rule,
} from './rules.ts';

const expression = text(
  (pattern) => expressionProblems(pattern, ['version']).length === 0,
  maxLengths.expression,
);

/** Comparisons of numbers without zeros before them, such as `>=1.2 <3`: what the library for ranges takes, unasked. */
const plainComparison = /^(?:[<>]=?)?(?:0|[1-9]\d{0,8})(?:\.(?:0|[1-9]\d{0,8})){0,2}$/;

export const range = text(isPlainRange, maxLengths.range);

function isPlainRange(text: string): boolean {
  return text.split(' ').every((part) => plainComparison.test(part));
}

const common = {
  extractVersion: expression,
  allowedVersions: text((rule) => {
    const pattern = allowedVersionsPattern.exec(rule)?.[2];
    if (pattern === undefined) return isPlainRange(rule);
    return (
      pattern !== '' &&
      pattern.length <= maxLengths.expression &&
      expressionProblems(pattern, []).length === 0
    );
  }, maxLengths.range),
};

/** A datasource that is missing here is left to the schema: slower, and as right. */
const kinds = {
  npm: packageOf('npm', packageNameForms.npm),
  maven: packageOf('maven', packageNameForms.maven),
  pypi: packageOf('pypi', packageNameForms.pypi),
  docker: packageOf('docker', packageNameForms.docker),
  helm: record<SourceOf<'helm'>>(['datasource', 'packageName', 'registryUrl'], {
    datasource: oneOf('helm'),
    packageName: named(packageNameForms.helm),
    registryUrl: upstreamUrl,
    field: oneOf('version', 'appVersion'),
    ...common,
  }),
  'github-releases': packageOf('github-releases', packageNameForms.github),
  'github-tags': packageOf('github-tags', packageNameForms.github),
  page: record<SourceOf<'page'>>(['datasource', 'url', 'matchStrings'], {
    datasource: oneOf('page'),
    url: upstreamUrl,
    matchStrings: listOf(expression, 1),
    ...common,
  }),
  static: record<SourceOf<'static'>>(['datasource', 'releases'], {
    datasource: oneOf('static'),
    releases: listOf(
      record<SourceOf<'static'>['releases'][number]>(['version'], {
        version,
        releaseTimestamp: timestamp,
        changelogUrl: httpsUrl,
        deprecated: line,
      }),
    ),
    ...common,
  }),
} satisfies Partial<Record<Datasource, Rule>>;

export const isPlainSource = oneKindOf('datasource', kinds);

function packageOf(datasource: Exclude<Datasource, 'helm' | 'page' | 'static'>, form: RegExp): Rule {
  return record<SourceOf<typeof datasource>>(['datasource', 'packageName'], {
    datasource: oneOf(datasource),
    packageName: named(form),
    registryUrl: upstreamUrl,
    ...common,
  });
}

function named(form: RegExp): Rule {
  return text((name) => form.test(name), maxLengths.packageName);
}
