const repeated = (term: string, count: number, by = ' or ') => Array(count).fill(term).join(by);
const fields = [
  'component',
  'title',
  'policy',
  'freshness',
  'datasource',
  'package',
  'status',
  'reason',
];
const numbered = (count: number, of: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => of(index)).join(' or ');

/** Costly terms, and how often a query may have them within its limit of comparisons among the releases of the corpus. */
const terms = { '~': 3, 'reason:*z*q': 9, '*z*q*1*': 1, 'version:>=999999': 1, 'age:<0s': 2 };

/** Queries that are answered, then some around and beyond the limits: many terms, patterns that go back, ranges, negations. */
export const costlyQueries: readonly string[] = [
  ...Object.entries(terms).map(([term, times]) => repeated(term, times)),
  repeated('~', 380),
  repeated('~', 2),
  numbered(280, (index) => `w${index}`),
  numbered(120, (index) => `*z${index}*q`),
  repeated('*z*q*1*', 150),
  '*1*1*1*1*1*1*1*',
  repeated('reason:*z*q', 120),
  repeated('title:*e*', 8),
  repeated('age:<0s', 150),
  repeated('supportLeft:<0d', 100),
  repeated('version:>=999999', 100),
  repeated('releaseTimestamp:>=2000-01-01', 60),
  repeated('deprecatedSince:<2000-01-01', 60),
  repeated('isLatest', 200),
  repeated('-isDeprecated -isPrerelease isWithdrawn', 2),
  repeated('not not not ~', 100),
  `${'('.repeat(40)}~${')'.repeat(40)}`,
  repeated('(a b c or d e f)', 90),
  repeated('-(a or b or c or d)', 80),
  repeated('label:*', 150),
  repeated('status:deprecated reason:*x*y*z*', 2),
  repeated('component:*a*e*i*o*u*', 4),
  numbered(90, (index) => `component:*${index}*`),
  numbered(100, (index) => `version:${index}`),
  numbered(100, (index) => `line:${index}.0`),
  numbered(60, (index) => `age:>${index}d`),
  fields.map((field) => `${field}:*z*q*x*`).join(' or '),
  repeated(fields.map((field) => `${field}:*z*`).join(' or '), 12),
  repeated(fields.map((field) => `-${field}:zz`).join(' '), 12, ' '),
  `*${'a*'.repeat(400)}`,
  `"${'z '.repeat(800)}"`,
];
