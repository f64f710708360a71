import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ask } from '../../src/ask/answers/ask.ts';
import type { PublishedIndex } from '../../src/ask/answers/published-index.ts';
import { openFolder } from '../../src/cli/open-published.ts';
import { checkout } from '../harness/checkout.ts';
import { openTools } from '../harness/mcp-clients.ts';
import { temporaryFolder } from '../harness/root.ts';
import { runHere } from '../harness/run-here.ts';
import { answerInShort } from './answer-in-short.ts';

const day = '2026-11-23';

const out = join(temporaryFolder(), 'dist');
let index: PublishedIndex;
beforeAll(async () => {
  const { status } = await runHere(['build', '--root', checkout, '--out', out, '--as-of', day]);
  expect(status).toBe(0);
  index = openFolder(out, () => day).index;
});

/** Texts that people typed into the box of the example, with their answers as in `typed-texts.ts`. */
const texts: readonly (readonly [typed: string, answer: string])[] = [
  ['2025.1', 'svc 2025.1 ended'],
  ['server 2025.1', 'svc 2025.1 ended'],
  ['2025.1.3', 'choose svc'],
  ['com.gradle:develocity-maven-extension@1.21', 'build-agent-maven 1.21 no-promise'],
  ['is server 2025.1 still supported?', 'svc 2025.1 ended'],
  ['svc 2025.2', 'svc 2025.2 ends-soon'],
  ['svc 2025', 'svc 2025 unknown-line'],
  ['svc v2025.2', 'svc 2025.2 ends-soon'],
  ['svc 2025.2.0', 'svc 2025.2 ends-soon'],
  ['svc@2025.2', 'svc 2025.2 ends-soon'],
  ['svc: 2025.2', 'svc 2025.2 ends-soon'],
  ['svc 2099.1', 'svc 2099.1 unknown-line'],
  ['develocity 2025.2', 'svc 2025.2 ends-soon'],
  ['gradle enterprise 2024.3', 'svc 2024.3 ended'],
  ['develocityctl 1.18', 'svcctl 1.18 deprecated'],
  ['svcc 2025.1', 'svc 2025.1 ended'],
  ['severr 2025.1', 'svc 2025.1 ended'],
  ['latest server', 'svc 2026.3 supported'],
  ['newest edge node', 'edge-node 2.1.0 no-promise'],
  ['svc 2025.1 to 2026.3', 'svc 2025.1 ended to 2026.3'],
  ['svc 2025.1...2026.3', 'svc 2025.1 ended to 2026.3'],
  ['svc >=2025.2 <2026.1', 'rows component:svc version:>=2025.2 version:<2026.1'],
  [
    'svc 2025.2, edge-node 2.1, svcctl 1.20',
    'page mine.html#c=svc@2025.2,edge-node@2.1,svcctl@1.20',
  ],
  ['edge node 1.1', 'edge-node 1.1 no-promise'],
  ['build cache node', 'build-cache-node 21.2 deprecated'],
  ['node 20.1.0', 'build-cache-node 20.1 deprecated'],
  ['gradle/build-cache-node:20.1', 'build-cache-node 20.1 deprecated'],
  ['docker.io/gradle/develocityctl:1.18', 'svcctl 1.18 deprecated'],
  ['com.gradle:develocity-maven-extension:1.21', 'build-agent-maven 1.21 no-promise'],
  ['com.gradle:develocity-gradle-plugin:4.0', 'build-agent-gradle 4.0 no-promise'],
  ['pkg:npm/%40gradle-tech/develocity-agent@4.1.1', 'build-agent-npm 4.1.1 no-promise'],
  ['@gradle-tech/develocity-agent@4.1.1', 'build-agent-npm 4.1.1 no-promise'],
  ['id("com.gradle.develocity") version "3.18"', 'build-agent-gradle 3.18 no-promise'],
  ["id 'com.gradle.enterprise' version '3.16'", 'build-agent-gradle 3.16 deprecated'],
  ['com.gradle.develocity', 'build-agent-gradle 4.5.0 no-promise'],
  ['ARG SVC_VERSION=2025.2', 'svc 2025.2 ends-soon'],
  [
    '# renovate: datasource=custom.release-index depName=svc ARG SVC_VERSION=2025.2',
    'svc 2025.2 ends-soon',
  ],
  ['gradle 4.5.0', 'build-agent-gradle 4.5.0 no-promise'],
  ['gradle 4.5.0 changelog', 'build-agent-gradle 4.5.0 no-promise'],
  ['gradle agent 4.0', 'build-agent-gradle 4.0 no-promise'],
  ['build agent for maven 2.4', 'build-agent-maven 2.4.0 no-promise'],
  ['maven 2.5.0', 'build-agent-maven 2.5.0 no-promise'],
  ['python', 'build-agent-python 0.10.1 no-promise'],
  ['python 3.8', 'choose build-agent-python'],
  ['test distribution 3.3', 'test-distribution-agent 3.3 no-promise'],
  ['svcctl 1.20', 'svcctl 1.20 no-promise'],
  [
    'agent',
    'choose build-agent-gradle, build-agent-maven, build-agent-npm, build-agent-npm-loader, build-agent-python, build-agent-sbt, test-distribution-agent',
  ],
  ['npm agent', 'choose build-agent-npm, build-agent-npm-loader'],
  ['which agent works with server 2025.3', 'page svc.html#works-with'],
  ['svc 2025.3 with gradle', 'page svc.html#works-with'],
  ['unsupported', 'rows ended'],
  ['ended', 'rows ended'],
  ['ends within 90 days', 'rows supportedUntil:[2026-11-23 to 2027-02-21]'],
  ['what ends in Q1 2027', 'rows supportedUntil:[2027-01-01 to 2027-03-31]'],
  ['31 Dec 2026', 'rows supportedUntil:[2026-12-31 to 2026-12-31]'],
  ['December 2026', 'rows supportedUntil:[2026-12-01 to 2026-12-31]'],
  ['released this month', 'rows releaseTimestamp:[2026-11-01 to 2026-11-30]'],
  ['latest of each', 'rows isLatest'],
  ['component:svc isLatest', 'rows component:svc isLatest'],
  ['cve-2024-12345', 'rows advisory:CVE-2024-12345'],
  ['is there a fix for CVE-2024-3094', 'rows advisory:CVE-2024-3094'],
  ['exploited', 'rows isExploited'],
  ['how many lines end in 2026', 'rows supportedUntil:[2026-01-01 to 2026-12-31]'],
  ['when was 2026.3 released', 'svc 2026.3 supported'],
  ['renovate', 'none'],
  ['feed', 'none'],
  ['what should I upgrade?', 'none'],
  ['how do I install the server', 'svc 2026.3 supported'],
  ['isSupportd', 'none'],
  ['nginx:1.25', 'none'],
  ['alpine', 'none'],
  ['<script>', 'none'],
  [`sha256:${'0'.repeat(64)}`, 'none'],

  // Other ways to say it.
  ['is develocity 2025.2 ok', 'svc 2025.2 ends-soon'],
  ['Server v2026.2.1', 'svc 2026.2.1 supported'],
  ['2026.2.1', 'svc 2026.2.1 supported'],
  ['server 2025.1.0', 'svc 2025.1 ended'],
  ['develocity 2024.1 eol', 'svc 2024.1 ended'],
  ['end of life server 2025.3', 'svc 2025.3 supported'],
  ['when is 2026.1 out of support', 'svc 2026.1 supported'],
  ['support end date 2025.4', 'svc 2025.4 supported'],
  ['newest maven extension', 'build-agent-maven 2.5.0 no-promise'],
  ['maven extension 1.21', 'build-agent-maven 1.21 no-promise'],
  ['develocity gradle plugin 4.1', 'build-agent-gradle 4.1 no-promise'],
  ['gradle enterprise plugin 3.10', 'build-agent-gradle 3.10 deprecated'],
  ['npm agent 3.0.1', 'build-agent-npm 3.0.1 no-promise'],
  ['build cache 20.1', 'build-cache-node 20.1 deprecated'],
  ['cache node 21', 'build-cache-node 21 unknown-line'],
  ['edge 2.1', 'edge-node 2.1.0 no-promise'],
  ['edge node latest', 'edge-node 2.1.0 no-promise'],
  ['svcctl', 'svcctl 1.23.0 no-promise'],
  ['control cli 1.20', 'svcctl 1.20 no-promise'],
  ['artifact cache 1.3.0', 'svc-artifact-cache-cli 1.3.0 no-promise'],
  ['provenance governor 1.6.0', 'svc-provenance-governor 1.6.0 no-promise'],
  ['reporting kit', 'svc-reporting-kit 2.3.0 no-promise'],
  ['sbt plugin 1.4', 'build-agent-sbt 1.4 no-promise'],
  ['test distribution agent 3.7', 'test-distribution-agent 3.7.0 no-promise'],
  ['what replaces build cache node', 'build-cache-node 21.2 deprecated'],
  ['build cache node successor', 'build-cache-node 21.2 deprecated'],
  ['is build cache node deprecated', 'build-cache-node 21.2 deprecated'],
  ['deprecated', 'rows deprecated'],
  ['what is deprecated', 'rows deprecated'],
  ['what expires this month', 'rows supportedUntil:[2026-11-01 to 2026-11-30]'],
  ['what ends in 2027', 'rows supportedUntil:[2027-01-01 to 2027-12-31]'],
  ['ends next quarter', 'rows supportedUntil:[2027-01-01 to 2027-03-31]'],
  ['released in October 2026', 'rows releaseTimestamp:[2026-10-01 to 2026-10-31]'],
  ['new in 2026', 'rows releaseTimestamp:[2026-01-01 to 2026-12-31]'],
  ['svc releases 2026', 'svc 2026 unknown-line'],
  ['all versions of edge node', 'edge-node 2.1.0 no-promise'],
  ['edge node with server 2025.2', 'edge-node 1.1 no-promise with svc 2025.2 good'],
  ['which agent for server 2025.2', 'page svc.html#works-with'],
  [
    'which gradle agent works with 2025.3',
    'build-agent-gradle 4.2.2 no-promise with svc 2025.3 good',
  ],
  ['edge node for 2025.4', 'edge-node 1.7.0 no-promise with svc 2025.4 good'],
  [
    'newest gradle agent for server 2025.1',
    'build-agent-gradle 4.0.3 no-promise with svc 2025.1 good',
  ],
  ['svc2025.1', 'svc 2025.1 ended'],
  ['maven 2.5.0 svc 2026.3', 'page mine.html#c=svc@2026.3,maven%202.5.0'],
  ['svc 2025.2, gradle agent 4.2.2', 'page mine.html#c=svc@2025.2,gradle%20agent%204.2.2'],
  [
    'server 2025.2 with the Gradle agent 4.2.2 and the Maven agent 1.21',
    'page mine.html#c=svc@2025.2,Gradle%20agent%204.2.2,Maven%20agent%201.21',
  ],
  ['Server 2025.1 (prod), 2025.3 (staging)', 'page mine.html#c=svc@2025.1,svc@2025.3'],
  ['foo 1.2', 'none'],
  ['gradle 4.2.2 with svc 2025.3', 'build-agent-gradle 4.2.2 no-promise with svc 2025.3 good'],
  ['upgrade 2024.3 to 2026.3', 'svc 2024.3 ended to 2026.3'],
  ['svc 2025.1 → latest', 'svc 2025.1 ended to 2026.3'],
  ['image: gradle/develocityctl:1.20', 'svcctl 1.20 no-promise'],
  ['FROM gradle/build-cache-node:21.2', 'build-cache-node 21.2 deprecated'],
  ['pkg:maven/com.gradle/develocity-gradle-plugin@4.1', 'build-agent-gradle 4.1 no-promise'],
  ['com.gradle:develocity-gradle-plugin:3.19.2', 'build-agent-gradle 3.19.2 no-promise'],
  ['"@gradle-tech/develocity-agent": "3.0.1"', 'build-agent-npm 3.0.1 no-promise'],
  [
    '<artifactId>develocity-maven-extension</artifactId><version>2.0</version>',
    'build-agent-maven 2.0 no-promise',
  ],
  ['develocity-2025.2', 'svc 2025.2 ends-soon'],
  ['gradle-enterprise-2024.1', 'svc 2024.1 ended'],
  ['my server is 2025.2', 'svc 2025.2 ends-soon'],
  ['do I need to update 2025.4', 'svc 2025.4 supported'],
  ['CVE-2025-1234', 'rows advisory:CVE-2025-1234'],
  ['rss', 'none'],
  ['docker agent', 'none'],
  ['dashboard', 'none'],
  ['2023.1', 'svc 2023.1 ended'],
  ['server 2019.1', 'svc 2019.1 ended'],
  ['svc 2027.1', 'svc 2027.1 unknown-line'],
  ['svc 3000', 'svc 3000 unknown-line'],
  ['renovate.json', 'none'],
  ['preset', 'none'],

  // In the words of on-call, support, security, managers and newcomers.
  ['svc 2025.1', 'svc 2025.1 ended'],
  ['2025.x', 'svc 2025 unknown-line'],
  ['svc 2025.*', 'svc 2025 unknown-line'],
  ['svc ~2025.3', 'rows component:svc version:>=2025.3 version:<2025.4-0'],
  ['svc ^2025.2', 'rows component:svc version:>=2025.2 version:<2026-0'],
  ['ended this year', 'rows supportedUntil:[2026-01-01 to 2026-11-22]'],
  ["' OR 1=1 --", 'none'],
  ['wann endet 2025.2', 'svc 2025.2 ends-soon'],
  ['2025.2 noch unterstützt?', 'svc 2025.2 ends-soon'],
  ['¿sigue soportado 2025.2?', 'svc 2025.2 ends-soon'],
  ['is 2026.1 affected by CVE-2025-0001', 'svc 2026.1 supported'],
  ['gradle 4.0 with svc 2026.3', 'build-agent-gradle 4.0 no-promise with svc 2026.3 good'],
  [
    'does gradle 4.5.0 work with 2025.2',
    'build-agent-gradle 4.5.0 no-promise with svc 2025.2 not-stated',
  ],
  ['gradle agent 3.17', 'build-agent-gradle 3.17 no-promise'],
  ['Maven agent', 'build-agent-maven 2.5.0 no-promise'],
  ['Maven agent 1.21', 'build-agent-maven 1.21 no-promise'],
  ['cve 2024 3094', 'rows advisory:CVE-2024-3094'],
  ['CVE-2024-12345', 'rows advisory:CVE-2024-12345'],
  ['snippet', 'none'],
  ['what ends next', 'rows supportedUntil:[2026-11-23 to 2027-11-23]'],
  ['what changed last week', 'none'],
  ['replacement for build cache node', 'build-cache-node 21.2 deprecated'],
  ['difference between 2025.1 and 2026.3', 'svc 2025.1 ended'],
  ['>=2026', 'rows version:>=2026'],
  ['release notes 2026.3', 'svc 2026.3 supported'],
  ['?', 'none'],
  ['hello', 'none'],
  ['supportedUntil:[2025-01-08 to 2025-01-08]', 'rows supportedUntil:[2025-01-08 to 2025-01-08]'],
  ['8 Jan 2025', 'rows supportedUntil:[2025-01-08 to 2025-01-08]'],
  ['is 2025.1 still ok', 'svc 2025.1 ended'],
  ['what changed since I was here', 'none'],
  ['svk 2025.1', 'svc 2025.1 ended'],
  ['sevr 2025.1', 'svc 2025.1 ended'],
  [
    'agnet 1',
    'choose build-agent-gradle, build-agent-maven, build-agent-npm, build-agent-npm-loader, build-agent-sbt, test-distribution-agent',
  ],
  ['svc 2061.1', 'svc 2061.1 unknown-line'],
  ['edge-node 2.2.0', 'edge-node 2.2.0 unknown-line'],
  ['CVE 2024 3094', 'rows advisory:CVE-2024-3094'],
  ['supportLeft:<90d isLatestOfLine', 'rows supportLeft:<90d isLatestOfLine'],
  ['npm agent 4.1.1', 'build-agent-npm 4.1.1 no-promise'],
  ['released since October', 'rows releaseTimestamp:[2026-10-01 to 2026-11-23]'],
  ['what ends in 120 days', 'rows supportedUntil:[2026-11-23 to 2027-03-23]'],
  ['edge-node 2.1.0 svc 2025.2', 'page mine.html#c=edge-node@2.1.0,svc@2025.2'],
  [
    'does edge node 2.1.0 work with server 2025.2',
    'edge-node 2.1.0 no-promise with svc 2025.2 bad',
  ],
  [
    'build-agent-gradle 4.4.0 with svc 2025.4',
    'build-agent-gradle 4.4.0 no-promise with svc 2025.4 not-stated',
  ],
  [
    'com.gradle:develocity-maven-extension:jar:1.22.2:compile',
    'build-agent-maven 1.22.2 no-promise',
  ],
  ["id 'com.gradle.develocity' version '3.19'", 'build-agent-gradle 3.19 no-promise'],
  ['svcctl;1,20', 'svcctl 1.20 no-promise'],
  ['svcctl 1.x', 'svcctl 1 unknown-line'],
  ['develocity 2025.1', 'svc 2025.1 ended'],
  ['Gradle Enterprise 2024.3', 'svc 2024.3 ended'],
  ['svc 2025.1 and svc 2025.2', 'page mine.html#c=svc@2025.1,svc@2025.2'],
  ['the Gradle agent 4.2.2', 'build-agent-gradle 4.2.2 no-promise'],
  ['we are on gradle agent 4.2.2', 'build-agent-gradle 4.2.2 no-promise'],
  ['Gradle agent is at 4.2.2', 'build-agent-gradle 4.2.2 no-promise'],
  ['upgrade the maven agent 1.21 to 2.5.0', 'build-agent-maven 1.21 no-promise to 2.5.0'],
  ['gradle agent 4.0 to 4.5.0', 'build-agent-gradle 4.0 no-promise to 4.5.0'],
  [
    'can I use maven agent 2.5.0 with server 2025.4',
    'build-agent-maven 2.5.0 no-promise with svc 2025.4 not-stated',
  ],
  [
    'which maven agent works with 2026.3',
    'build-agent-maven 2.4.0 no-promise with svc 2026.3 good',
  ],
  ['what works with server 2025.3', 'page svc.html#works-with'],
  [
    'which server works with gradle agent 4.2',
    'svc 2026.3 supported with build-agent-gradle 4.2 good',
  ],
  ['svc2025.1.3', 'svc 2025.1.3 not-listed'],
  ['edge-node2.1.0', 'edge-node 2.1.0 no-promise'],
  ['2026.3 vs 2026.2', 'svc 2026.3 supported'],
  ['CVE-2024-3094 svc 2025.1', 'svc 2025.1 ended'],
  ['are we affected by CVE-2021-44228', 'rows advisory:CVE-2021-44228'],
  ['GHSA-abcd-efgh-ijkl', 'rows advisory:GHSA-ABCD-EFGH-IJKL'],
  ['advisories', 'rows isVulnerable'],
  ['how many lines end next year', 'rows supportedUntil:[2027-01-01 to 2027-12-31]'],
  ['what is new in 2026.3', 'svc 2026.3 supported'],
  ['release date of 2025.4', 'svc 2025.4 supported'],
  ['when does build cache node end', 'build-cache-node 21.2 deprecated'],
  ['who supports 2025.2', 'svc 2025.2 ends-soon'],
  ['eol server', 'svc 2026.3 supported'],
  ['server eol dates', 'svc 2026.3 supported'],
  ['Server 2025.2 end of support date?', 'svc 2025.2 ends-soon'],
  ['upgrade path from 2024.1', 'svc 2024.1 ended'],
  ['supported versions', 'rows isLatestOfLine isSupported'],
  ['supported server versions', 'svc 2026.3 supported'],
  ['versions of server', 'svc 2026.3 supported'],
  [
    'gradle',
    'choose build-agent-gradle, build-agent-maven, build-agent-npm, build-agent-npm-loader, build-agent-sbt, svc, test-distribution-agent',
  ],
  ['maven', 'build-agent-maven 2.5.0 no-promise'],
  ['sbt', 'build-agent-sbt 1.4.5 no-promise'],
  ['npm', 'choose build-agent-npm, build-agent-npm-loader'],
  ['docker', 'none'],
  ['build scan plugin 3.16', 'build-agent-gradle 3.16 deprecated'],
  ['develocity maven extension 1.21.4', 'build-agent-maven 1.21.4 no-promise'],
  ['docker pull gradle/develocityctl:1.20', 'svcctl 1.20 no-promise'],
  ['helm install gradle-enterprise 2024.3', 'svc 2024.3 ended'],
  ['"develocity": "2025.3"', 'svc 2025.3 supported'],
  ['svc 2026.4', 'svc 2026.4 unknown-line'],
  ['svc 2026.3.1', 'svc 2026.3.1 not-listed'],
  ['server 2025.4.2', 'svc 2025.4.2 not-listed'],
  ['2025.3.1', 'choose svc'],
  ['is 2026.3 stable', 'svc 2026.3 supported'],
  ['example/svc:2025.2', 'svc 2025.2 ends-soon'],
  ['my-registry.local:5000/team/svc:2025.2', 'svc 2025.2 ends-soon'],
  ['ghcr.io/acme/build-cache-node:20.1', 'build-cache-node 20.1 deprecated'],
  ['next release', 'none'],
  ['when is the next server release', 'svc 2026.3 supported'],
  ['can I skip 2025.4', 'svc 2025.4 supported'],
  ['can I go straight from 2024.2 to 2026.3', 'svc 2024.2 ended to 2026.3'],
  ['what should we run', 'rows isLatest'],
  ['what happens on 31 december', 'rows supportedUntil:[2026-12-31 to 2026-12-31]'],
  ['edge-node vs build-cache-node', 'choose build-cache-node, edge-node'],
  ['server lts', 'choose svc'],
  ['withdrawn', 'rows isWithdrawn'],
  ['prereleases', 'rows isPrerelease'],
  ['who ends first', 'rows supportedUntil:[2026-11-23 to 2027-11-23]'],
  ['download server', 'svc 2026.3 supported'],
];

test.each(texts)('%s', async (typed, expected) => {
  expect(await answerInShort(index, typed, expected)).toBe(expected);
});

test.each([
  ['when is the next server release', 'No day of a release to come is known.'],
  ['svc 2025.1 and redis 7.2', 'Not read: "redis 7.2".'],
])('what a text asks besides has a note: %s', async (typed, note) => {
  expect(await ask(index, typed)).toMatchObject({
    answer: { notes: expect.arrayContaining([note]) },
  });
});

test('an answer about a pair names only versions that there are', async () => {
  expect(await ask(index, 'which gradle agent works with 9.9.9')).toMatchObject({
    message: 'No component of this index has a version 9.9.9.',
  });
  expect(await ask(index, 'server works with edge node for 4.2')).toMatchObject({
    answer: { notes: [expect.stringContaining('edge-node 2.1.0 and build-agent-gradle 4.2.')] },
  });
});

test('a text that names nothing is told what the index knows', async () => {
  expect(await ask(index, 'is this official')).toMatchObject({
    message:
      '"is this official" names no component of this index. It knows releases, how long they are supported, what to move to, and what works together.',
  });
});

test.each([
  ['svc 2025.1 & redis 7.2', 'redis 7.2'],
  ['how far behind is gradle agent 3.17', 'far behind'],
])('what was not read is said: %s', async (typed, unread) => {
  const answer = await ask(index, typed);

  expect(answer).toMatchObject({ kind: 'version', answer: { notes: [`Not read: "${unread}".`] } });
});

test('what was not read beside a range is said', async () => {
  expect(await ask(index, 'svc ^2025.1 and redis 7.2')).toMatchObject({
    kind: 'releases',
    notes: ['Not read: "redis 7.2".'],
  });
});

test('a failure names what was typed, no list of fields, and examples that have answers', async () => {
  for (const typed of ['nginx:1.25', '<script>', 'suportLeft:<90d', 'xyzzy:1 isLatest']) {
    const answer = await ask(index, typed);
    const message = answer.kind === 'problem' ? answer.message : '';

    expect(message, typed).not.toBe('');
    expect(message.length, message).toBeLessThan(160);

    for (const example of answer.kind === 'problem' ? answer.examples : []) {
      expect(await ask(index, example), example).not.toMatchObject({ kind: 'problem' });
      expect(await ask(index, example), example).not.toMatchObject({ kind: 'releases', total: 0 });
    }
  }
});

test('lines that end on one day are counted', async () => {
  const answer = await ask(index, 'what ends in December 2027');

  expect(answer).toMatchObject({ notes: ['2 lines, one row for each component and day.'] });
});

test('a day without an end is said in words', async () => {
  const answer = await ask(index, '8 Jan 2025');

  expect(answer).toMatchObject({ kind: 'releases', notes: ['Nothing ends on 2025-01-08.'] });
});

test('an advisory that no source states is reported with what is not known', async () => {
  const answer = await ask(index, 'CVE-2024-12345');

  expect(answer).toMatchObject({ kind: 'releases', total: 0 });
  expect(answer.kind === 'releases' && answer.notes.join(' ')).toContain('Advisories: not known');
});

test('"ends within 90 days" gives each component once a day, on the page, in the search and in the tool', async () => {
  const text = 'ends within 90 days';
  const answer = await ask(index, text);
  const rows = answer.kind === 'releases' ? answer.releases : [];
  const ends = rows.map(({ component, version, supportedUntil }) => [
    component,
    version,
    supportedUntil,
  ]);
  const found = await runHere(['search', text, '--json', '--root', checkout, '--as-of', day]);
  const client = await openTools(out, day);
  const { content } = await client.callTool('find_releases', { query: text });
  await client.close();

  expect(ends).toEqual([
    ['build-cache-node', '21.2', '2026-12-31'],
    ['svc', '2025.2', '2027-01-15'],
  ]);
  expect(JSON.parse(found.stdout)).toEqual(rows);
  expect(content).toMatchObject({
    total: 2,
    releases: ends.map(([component, version]) => ({ component, version })),
  });
});
