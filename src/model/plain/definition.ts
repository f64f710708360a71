import { placeholderProblems } from '../changelog-template.ts';
import { componentName } from '../component-name.ts';
import type { Definition, Deprecation, SupportPolicy } from '../definition.ts';
import { maxima, maxLengths, releaseLineForm } from '../forms.ts';
import { isHttpsUrl } from '../safe-url.ts';
import {
  day,
  flag,
  httpsUrl,
  integerUpTo,
  line,
  lineUpTo,
  listOf,
  mapOf,
  oneKindOf,
  oneOf,
  record,
  schemaReference,
  text,
  version,
  type Rule,
} from './rules.ts';
import { isPlainSource, range } from './source.ts';

type PolicyOf<P extends SupportPolicy['policy']> = Extract<SupportPolicy, { policy: P }>;

const lineGroups = oneOf(1, 2);
const lineDays = mapOf((name) => releaseLineForm.test(name), day);

const policies: Readonly<Record<SupportPolicy['policy'], Rule>> = {
  none: record<PolicyOf<'none'>>(['policy'], { policy: oneOf('none'), line: lineGroups }),
  ended: record<PolicyOf<'ended'>>(['policy'], {
    policy: oneOf('ended'),
    since: day,
    reason: line,
    line: lineGroups,
  }),
  term: record<PolicyOf<'term'>>(['policy', 'months'], {
    policy: oneOf('term'),
    months: integerUpTo(maxima.months),
    line: lineGroups,
  }),
  'latest-lines': record<PolicyOf<'latest-lines'>>(['policy', 'count'], {
    policy: oneOf('latest-lines'),
    count: integerUpTo(maxima.lines),
    line: lineGroups,
  }),
  dated: record<PolicyOf<'dated'>>(['policy', 'lines'], {
    policy: oneOf('dated'),
    lines: (lines) => lineDays(lines) && Object.keys(lines as object).length > 0,
    line: lineGroups,
  }),
};

const isPlainPolicy = oneKindOf('policy', policies);

const versions = listOf(version, 1);

const isPlainDeprecation = record<Deprecation>(['versions', 'reason'], {
  versions: (value) => versions(value) || range(value),
  reason: line,
  url: httpsUrl,
  since: day,
});

const sources = listOf(isPlainSource);

const sourcesOnce: Rule = (value) => sources(value) && isEachOnce(value as readonly unknown[]);

function isEachOnce(values: readonly unknown[]): boolean {
  return values.length < 2 || new Set(values.map((value) => JSON.stringify(value))).size === values.length;
}

export const isPlainDefinition = record<Definition>(['title', 'homepage', 'changelogUrl', 'sources'], {
  $schema: schemaReference,
  title: lineUpTo(maxLengths.title),
  description: line,
  homepage: httpsUrl,
  changelogUrl: httpsUrl,
  releaseChangelogUrl: record<NonNullable<Definition['releaseChangelogUrl']>>(['template'], {
    template: text((template) => isHttpsUrl(template) && placeholderProblems(template).length === 0),
    since: version,
  }),
  sources: sourcesOnce,
  prereleases: flag,
  support: isPlainPolicy,
  deprecated: listOf(isPlainDeprecation),
  ignoreUpstreamDeprecation: flag,
  replacedBy: text((name) => componentName.test(name)),
});
