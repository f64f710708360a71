import { fields, type Row } from './fields.ts';

// Apart from the language itself, because the pages run that.
const meanings: Readonly<Record<keyof Row, string>> = {
  component: 'name of the component',
  title: 'what people call the component',
  policy: 'kind of the support policy of the component',
  freshness: 'live, stale, held or static, as in status.json',
  datasource: 'of any source of the definition',
  package: 'name of the package in any source of the definition',
  label: 'of the definition',
  releases: 'how many the component has',
  version: 'exactly as published',
  line: 'the release line of the version',
  status: 'the verdict in a word, as in details/',
  reason: 'any of the reasons for which it is deprecated',
  isDeprecated: 'whether one should move off it',
  isPrerelease: 'whether it precedes a release',
  isWithdrawn: 'whether upstream no longer lists it',
  isLatest: "whether it is the component's tags.latest",
  isLatestOfLine: 'the greatest stable, not deprecated version of its line',
  isSupported: 'true while its support runs, also where deprecated; unknown where nothing was promised',
  releaseTimestamp: 'when it was released',
  firstSeen: 'the day it came into the index',
  deprecatedSince: 'the day since which it is deprecated',
  supportedUntil: 'the first day without support, by the support policy',
  age: 'since releaseTimestamp',
  supportLeft: 'until supportedUntil; unknown where none is stated or it is over',
};

/** The fields for those who read about them. */
export const describedFields = fields.map(({ name, type }) => ({
  name,
  type,
  meaning: meanings[name as keyof Row],
}));
