/** Lists the queries that the benchmark asks of a large index. */

/** Queries whose answer time is compared with a simple search of the same name in `scan.ts`. */
export const questions = {
  named: 'component:p-nodejs isSupported',
  whole: 'releaseTimestamp:>-30d',
  terms: Array.from({ length: 50 }, (_, place) => `age:>${9000 + place}d`).join(' or '),
};

/** A list of 28,000 packages that are not in the index. */
export const unknown = Array.from(
  { length: 28_000 },
  (_, place) => `nodejs-exporter-${place.toString(36)}==1.7`,
).join('\n');

/** Ten different queries: with names, end-of-support dates, ages, words, versions and negations, some of them over the whole index. */
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

/**
 * The version, the query and the list that `line.ts` enters on the pages of a site.
 * - `example`: for the site of the example index
 * - `one`: for the site of the large index that `run.ts` calls `one`
 */
export const askedOnPages = {
  example: {
    version: 'svc 2025.1',
    query: 'component:svc state:ends-soon',
    list: [
      'build-agent-python 0.10.1',
      'build-cache-node 21.2',
      'edge-node 2.1.0',
      'svc 2025.1',
      'svc-artifact-cache-cli 1.5.0',
      'svc-provenance-governor 1.6.0',
      'svc-reporting-kit 2.3.0',
      'svcctl 1.18',
    ].join('\n'),
  },
  one: {
    version: 'p-nodejs 26.7.0',
    query: 'component:p-nodejs isLatest',
    list: [
      'p-django 6.1',
      'p-kubernetes 1.36.4',
      'p-nginx 1.31.4',
      'p-nodejs 26.7.0',
      'p-postgresql 18.6',
      'p-python 3.14.7',
      'p-redis 8.10.1',
      'p-ruby 4.0.6',
    ].join('\n'),
  },
};
