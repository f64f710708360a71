import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { askExactly } from '../src/ask/answers/version-answer.ts';
import { computeDetailsOn } from '../src/ask/answers/component-on.ts';
import { openFolder } from '../src/cli/open-published.ts';
import { isInRange, parseVersionRange } from '../src/core/model/version-range.ts';
import { parseVersion } from '../src/core/model/version.ts';
import { splitTerms } from '../src/core/model/words.ts';
import { formatFinding } from '../src/core/schemas/finding.ts';
import type { DetailsFile } from '../src/core/schemas/published/details-file.ts';
import type { ReleaseFile } from '../src/core/schemas/published/release-documents.ts';
import { checkout } from './harness/checkout.ts';
import { covers } from './harness/covers.ts';
import {
  hasPairs,
  missingFacts,
  readPairFacts,
  readProductFacts,
} from './harness/product-facts.ts';
import { readJsonIn, temporaryFolder } from './harness/root.ts';
import { runHere } from './harness/run-here.ts';
import { siteOfFixtureIndex } from './harness/site.ts';
import { readDocument } from './harness/specification.ts';
import { findBrokenRules } from './harness/site-rules/site-rules.ts';

const day = '2026-11-23';
const out = join(temporaryFolder(), 'dist');

const facts = readProductFacts();
if (!facts || !hasPairs) {
  console.log(missingFacts);
}

beforeAll(async () => {
  const { status } = await runHere(['build', '--root', checkout, '--out', out, '--as-of', day]);
  expect(status).toBe(0);
});

test.skipIf(!facts || !hasPairs)(
  'the published example states every release of the public history, with its day',
  () => {
    const wrong: string[] = [];

    for (const [component, { releases, undated }] of facts!) {
      const published = readJsonIn<ReleaseFile>(out, `${component}.json`).releases;
      const details = computeDetailsOn(
        readJsonIn<DetailsFile>(out, `details/${component}.json`),
        day,
      ).releases;
      const byVersion = new Map(published.map((release) => [release.version, release]));
      // A day is published unless the document says otherwise.
      const kinds = new Map(
        details.map(({ version, releaseTimestamp, timestampKind }) => [
          version,
          timestampKind ?? (releaseTimestamp === undefined ? undefined : 'published'),
        ]),
      );
      for (const { version, date } of releases) {
        const at = byVersion.get(version)?.releaseTimestamp;
        if (at !== `${date}T00:00:00Z` || kinds.get(version) !== 'published') {
          wrong.push(
            `${component} ${version}: published on ${date}; got ${at} (${kinds.get(version)})`,
          );
        }
      }
      for (const { version, seenOnOrBefore: bound } of undated) {
        const release = byVersion.get(version);
        const day = release?.releaseTimestamp?.slice(0, 10);
        const isLater = bound !== undefined && (day === undefined || day > bound);
        if (!release || isLater || kinds.get(version) === 'published') {
          wrong.push(
            `${component} ${version}: seen by ${bound}; got ${day} (${kinds.get(version)})`,
          );
        }
      }
      const stated = new Set([...releases, ...undated].map(({ version }) => version));
      wrong.push(
        ...byVersion
          .keys()
          .filter((version) => !stated.has(version))
          .map((version) => `${component} ${version}: in no fact`),
      );
    }

    expect(wrong).toEqual([]);
  },
);

test('every other document of the published example agrees with its releases', () => {
  expect(findBrokenRules(out).map(formatFinding)).toEqual([]);
});

test('every end of the published example says who states it, or that it is inferred', () => {
  const wrong: string[] = [];
  let ends = 0;

  for (const component of readJsonIn<string[]>(out, 'index.json')) {
    const { lines } = readJsonIn<DetailsFile>(out, `details/${component}.json`);

    for (const { line, phases = [], reason, inferred } of lines) {
      if (phases.every((phase) => !(phase.until ?? phase.untilAtMost ?? phase.isOver))) {
        continue;
      }

      const text = reason?.text ?? '';
      const origins = splitTerms({ text }).map(({ origin }) => origin);
      const isSaid =
        origins.length > 0
          ? origins.every((origin) => /^(?:by \S.*|observed|inferred)$/.test(origin))
          : /^By [\w.-]+: /.test(text);

      ends += 1;

      if (!isSaid || origins.includes('inferred') !== (inferred === true)) {
        wrong.push(`${component} ${line}: ${text}`);
      }
    }
  }

  expect(ends).toBeGreaterThan(50);
  expect(wrong).toEqual([]);
});

test.skipIf(!facts)('the published example links the pages of the vendor', () => {
  // A page of one version is linked as that of the current one, and documents moved to another host.
  const pathOf = (url: string) => url.replace(/^https:\/\/[^/]+\/(?:develocity\/)?|\/$/g, '');
  const general = (url: string) => pathOf(url).replace(/\/\d+(?:\.\d+)+(?=\/|$)/, '/current');
  const wrong: string[] = [];

  for (const [component, { homepage, changelogUrl, isGuessed }] of facts!) {
    const published = readJsonIn<ReleaseFile>(out, `${component}.json`);
    for (const [stated, link] of [
      [homepage, published.homepage],
      [changelogUrl, published.changelogUrl],
    ]) {
      if (
        stated &&
        link &&
        !isGuessed &&
        ![pathOf(stated), general(stated)].includes(pathOf(link))
      ) {
        wrong.push(`${component}: ${stated}; got ${link}`);
      }
    }
  }

  expect(wrong).toEqual([]);
});

test.skipIf(!facts)('the published example reads the packages that the vendor publishes', () => {
  const text = readFileSync(join(out, 'status.json'), 'utf8');
  const missing = [...facts!].flatMap(([component, { packages }]) =>
    packages
      .filter((name) => !text.includes(name.replace('@', '%40')))
      .map((name) => `${component}: ${name}`),
  );

  expect(missing).toEqual([]);
});

test.skipIf(!facts)('the published example deprecates what the vendor does, with a reason', () => {
  const deprecated = (component: string) =>
    readJsonIn<ReleaseFile>(out, `${component}.json`).releases.filter(
      ({ isDeprecated }) => isDeprecated,
    );
  const newest = (component: string) => deprecated(component).at(-1)?.version;

  expect(newest('build-agent-gradle')).toBe('3.16.2');
  expect(newest('build-agent-maven')).toBe('1.20.1');
  expect(newest('svcctl')).toBe('1.18');
  expect(deprecated('build-cache-node')).toHaveLength(13);
  expect(newest('svc')).toBe('2025.1');

  for (const component of ['build-agent-gradle', 'build-agent-maven', 'svcctl']) {
    const versions = new Set(deprecated(component).map(({ version }) => version));
    const { releases } = readJsonIn<DetailsFile>(out, `details/${component}.json`);
    const silent = releases.filter(
      ({ version, reasons = [] }) => versions.has(version) && reasons.length === 0,
    );

    expect(silent, component).toEqual([]);
  }
});

test.skipIf(!facts || !hasPairs)(
  'the published example answers each statement on what goes together',
  async () => {
    const { index } = openFolder(out, () => day);
    const wrong: string[] = [];
    let asked = 0;

    const versionsOf = (component: string) =>
      readJsonIn<ReleaseFile>(out, `${component}.json`).releases.map(({ version }) => version);
    const within = (range: string, component: string) => {
      const parsed = parseVersionRange(range)!;
      return versionsOf(component).filter((version) => isInRange(parsed, parseVersion(version)!));
    };

    for (const { component, versions, with: other, range, kind } of readPairFacts()) {
      const own = within(versions, component);
      const good = within(range, other);
      const before = versionsOf(other).indexOf(good[0] ?? '') - 1;
      const tooOld = kind === 'minimum' || kind === 'range' ? versionsOf(other)[before] : undefined;
      const bounds = new Set([good[0], good.at(-1)].filter((version) => version !== undefined));

      for (const version of new Set([own[0], own.at(-1)])) {
        for (const partner of [...bounds, tooOld]) {
          if (version === undefined || partner === undefined) {
            continue;
          }
          const { answer } = await askExactly(index, component, version, [`${other}@${partner}`]);
          const got = answer.with?.[0]?.answer;
          const isRight = partner === tooOld ? got === 'bad' : got === 'good';
          asked += 1;
          if (!isRight) {
            wrong.push(
              `${component} ${version} with ${other} ${partner} (${kind} ${range}): ${got}`,
            );
          }
        }
      }
    }

    expect(asked).toBeGreaterThan(200);
    expect(wrong).toEqual([]);
  },
);

test('the example has the components of the specification, and says what it covers', () => {
  covers(
    'Component names, of the example',
    'The API and the cloud-query reporting feature are covered by the svc entry',
    'Plugins distributed through a third-party marketplace are not in the index',
  );
  const [names = ''] = /(?<=Component names \(request names\): ).+?\./.exec(readDocument()) ?? [];
  const listed = names.replaceAll(/\([^)]*\)|\.$/g, '').split(',');
  const { footer } = readJsonIn<{ footer: { text: string } }>(checkout, 'site/site.json');

  expect(readJsonIn(out, 'index.json')).toEqual(listed.map((name) => name.trim()).sort());
  expect(footer.text).toBe(
    'This index covers the server with its API and cloud-query reporting, nodes, build agents and tools. It leaves out plugins that marketplaces distribute.',
  );
});

test('an index of other components builds the same documents', () => {
  covers("An index of one's own has others.");
  expect(readJsonIn(siteOfFixtureIndex(), 'index.json')).not.toEqual(readJsonIn(out, 'index.json'));
});
