import { pathsIn, readJsonIn } from './root.ts';
import { pick, randomFrom } from './random.ts';
import { fixtureIndex } from './checkout.ts';

/** What is asked of the frozen index at every door; the same questions in every run. */
export interface VersionQuestion {
  component: string;
  version: string;
}

const random = randomFrom(20);

interface Recorded {
  releases: readonly { version: string }[];
}

const recorded = pathsIn(fixtureIndex)
  .filter((path) => /^data\/[^/]+\.json$/.test(path))
  .map((path) => ({
    component: path.slice('data/'.length, -'.json'.length),
    versions: readJsonIn<Recorded>(fixtureIndex, path).releases.map(({ version }) => version),
  }))
  .filter(({ versions }) => versions.length > 0);

/** Another spelling, or another version that may or may not belong to a known line. */
const variations: readonly ((version: string) => string)[] = [
  (version) => version,
  (version) => version,
  (version) => `v${version}`,
  (version) => version.replace(/\d+/g, (digits) => `0${digits}`),
  (version) => `${version}.99`,
  (version) => version.replace(/\d+/, (digits) => String(Number(digits) + 7)),
  (version) => `${version}-rc.1`,
  () => 'latest',
  () => '1.2.3.4.5.6.7',
];

export const versionQuestions: readonly VersionQuestion[] = Array.from({ length: 50 }, (_, index) => {
  const { component, versions } = pick(random, recorded);
  return { component, version: variations[index % variations.length]!(pick(random, versions)) };
});

const templates: readonly ((component: string, version: string) => string)[] = [
  () => 'component:*',
  (component) => `component:${component}`,
  (component) => `component:${component} isLatestOfLine`,
  (component, version) => `component:${component} version:>=${version}`,
  (component, version) => `component:${component} version:<${version} -isPrerelease`,
  (_, version) => `version:${version}`,
  (_, version) => `version:[${version} to 3000]`,
  (component) => `not component:${component} isLatest`,
  () => 'isDeprecated or isWithdrawn',
  () => 'isSupported:* supportedUntil:[2026-01-01 to 2028-12-31]',
  () => 'supportLeft:<400d',
  () => 'age:>365d isLatest',
  () => 'releaseTimestamp:>-900d',
  () => 'freshness:stale status:listed',
  () => '(datasource:maven or datasource:npm) -isDeprecated',
  () => 'reason:*support*',
  () => '!isSupported:*',
  () => '"Build agent" isLatest',
  () => 'releases:>10 isLatestOfLine',
];

export const queryQuestions: readonly string[] = Array.from({ length: 50 }, (_, index) => {
  const { component, versions } = pick(random, recorded);
  return templates[index % templates.length]!(component, pick(random, versions));
});
