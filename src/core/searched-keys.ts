/** The keys of components, lines and releases that `search.json` has: what the fields of queries read. */
const verdictKeys = ['state', 'isSupported', 'moveTo', 'moveBy'] as const;
export const searchedLineKeys = [
  'line',
  ...verdictKeys,
  'isLts',
  'ltsFrom',
  'isInferred',
  'phase',
  'supportedUntil',
  'supportedUntilAtMost',
  'latest',
  'reason',
] as const;
export const searchedReleaseKeys = [
  'version',
  'line',
  ...verdictKeys,
  'releaseTimestamp',
  'timestampKind',
  'firstSeen',
  'availableAt',
  'isPrerelease',
  'isDeprecated',
  'deprecatedSince',
  'advisories',
  'severity',
  'exploitedSince',
  'reasons',
  'fixes',
] as const;
export const searchedKeys = [
  'title',
  'packages',
  'latest',
  'sourceRepository',
  'watchesAdvisories',
] as const;
