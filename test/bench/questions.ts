/** What the bench asks of a large index, as texts and as a program does that has all releases in arrays. */

/** Each fits the plain scan of its name in `scan.mjs`. */
export const questions = {
  named: 'component:p-nodejs isSupported',
  whole: 'releaseTimestamp:>-30d',
  terms: Array.from({ length: 50 }, (_, place) => `age:>${9000 + place}d`).join(' or '),
};

/** Entries of a list that no index knows. */
export const unknown = Array.from(
  { length: 28_000 },
  (_, place) => `nodejs-exporter-${place.toString(36)}==1.7`,
).join('\n');

/** Ten of different kinds: names, ends, days, words, versions and negations, in all of an index and in a part. */
export const different = [
  ...Object.values(questions),
  '',
  'p-nodejs 18',
  'kubernetes',
  'state:ends-soon or isLts',
  'isLatest supportLeft:<90d',
  'version:>=2 -isDeprecated',
  'not (policy:none or reason:*) behind:<1y',
];
