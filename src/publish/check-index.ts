/** Finds all problems of an index: in files that people write, in recorded data, and in the built site. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { nameOsvPackage } from '../core/datasources.ts';
import type { Day } from '../core/day.ts';
import { asWarnings, type Problem, readEach, readProblems } from '../core/errors.ts';
import { readIfThere, readJsonFile } from '../core/files.ts';
import { compilePattern } from '../core/pattern.ts';
import { createVersionTest } from '../core/range.ts';
import { listIndexFiles, listNames } from '../core/index-files.ts';
import { readAccess } from '../core/read-access.ts';
import { readDefinitions, readSettings } from '../core/read-definitions.ts';
import type { Component } from '../core/schema/published.ts';
import type { Freshness, Recorded, RecordedRelease } from '../core/schema/recorded.ts';
import { nameSources } from '../core/schema/names.ts';
import { type Definition, Settings, type Source } from '../core/schema/written.ts';
import { formatCount, formatList } from '../core/text.ts';
import { compareNames, keyRelease, readVersion } from '../core/version.ts';
import { openData } from '../record/data-files.ts';
import { findUnadmitted } from '../record/definitions.ts';
import { listLinesIfAny, openGit, readCommitted } from '../record/git.ts';
import { listLaterEnds } from '../record/later-ends.ts';
import { findMovedDays } from '../record/moved-days.ts';
import { loadIndex } from '../site/load-index.ts';
import { readPackages } from '../site/packages.ts';
import { readPolicies } from '../site/policies.ts';
import { findExcess } from './host-limits.ts';
import { listOtherFeedIds } from './renames.ts';
import { readGivenStatements } from './sign.ts';
import { checkSite } from './verify.ts';

interface IndexFolders {
  root: string;
  /** The folder of the built site, if it exists. */
  out: string;
  /** The folder of the program. */
  program: string;
}

interface Checked {
  definitions: Map<string, Definition>;
  recorded: Map<string, Recorded>;
  /** Undefined if the settings cannot be read. */
  settings?: Settings | undefined;
  problems: Problem[];
}

/** Lists all problems, each once. A problem without `level` is an error. */
export async function checkIndex(
  { root, out, program }: IndexFolders,
  day: Day,
  isPrivate: (source: Source) => boolean,
  signal: AbortSignal,
): Promise<Checked> {
  const problems: Problem[] = [];
  /** Returns the result of `read`. If `read` throws problems, collects them and returns undefined. */
  const collect = async <T>(read: () => T | Promise<T>) => {
    try {
      return await read();
    } catch (error) {
      problems.push(...readProblems(error));
      return undefined;
    }
  };

  await collect(() => listIndexFiles(root));
  if (problems.length > 0) {
    // The index contains symbolic links, so definitions are not read. Otherwise, error messages could show parts of the files to which the
    // links point.
    return { definitions: new Map(), recorded: new Map(), problems };
  }

  const data = openData(root);
  const parts = ['countEvents', 'readRuns', 'readHeld', 'readDecisions'] as const;
  for (const part of parts) {
    await collect<unknown>(() => data[part]());
  }
  const freshness = (await collect(() => data.readFreshness())) ?? {};
  const settings = await collect(() => readSettings(root));
  // If the settings have a mistake, definitions are still read, with the `defaults` of the settings.
  const file = 'site/site.json';
  const { defaults } = Defaults.parse(await collect(() => readJsonFile(join(root, file), file)));
  const read = readDefinitions(root, { defaults });
  problems.push(...read.problems);
  await collect(() => readPolicies(root, program));
  await collect(() => readAccess(root));
  await collect(() => readPackages(root));

  const { recorded, problems: damaged } = await readAllRecorded(root, read.definitions, signal);
  problems.push(...damaged);

  const loaded = await collect(() => loadIndex(root, day, program));
  problems.push(...(loaded?.problems ?? []));
  const judged = new Map(loaded?.index.components.map((each) => [each.component, each]));
  for (const [name, definition] of read.definitions) {
    const component = judged.get(name);
    const answers = freshness[name];
    const defined = { name, definition, component, recorded: recorded.get(name), answers };
    problems.push(...checkDefinition(defined, isPrivate, day));
    const unadmitted = await collect(() => findUnadmitted(root, name, definition));
    problems.push(...(unadmitted ?? []));
    await collect(
      () =>
        settings &&
        readGivenStatements(root, name, settings.signingPublicKey, settings.releasesUrl),
    );
  }
  problems.push(...findEqualTitles(read.definitions), ...findOtherHost(root, settings));
  problems.push(...(await findOtherFeedIds(root, settings, signal)));
  if (existsSync(out)) {
    const site = await collect(() => checkSite(out));
    problems.push(...asWarnings(site && settings ? findExcess(settings.hosting, out) : []));
  }

  const byText = new Map(problems.map((each) => [`${each.subject}: ${each.message}`, each]));
  return { definitions: read.definitions, recorded, settings, problems: [...byText.values()] };
}

/** Reads the recorded data of all components, including components without a definition. */
async function readAllRecorded(
  root: string,
  definitions: ReadonlyMap<string, Definition>,
  signal: AbortSignal,
) {
  const data = openData(root);
  const names = listRecorded(root);
  const { results, problems } = readEach(new Set([...names, ...definitions.keys()]), (name) => {
    const journal = data.readJournal(name);
    return { component: name, journal, recorded: data.readRecorded(name, journal) };
  });
  const moved = await findMovedDays(results, root, signal);
  return {
    recorded: new Map(results.map((each) => [each.component, each.recorded])),
    problems: [...problems, ...listLeftData(root, names), ...moved],
  };
}

const Defaults = z.object({ defaults: Settings.shape.defaults.catch(undefined) }).catch({});

/** Warns if components have the same title, because pages list them by title. */
function findEqualTitles(definitions: ReadonlyMap<string, Definition>): Problem[] {
  const byTitle = Map.groupBy(definitions.keys(), (name) => definitions.get(name)!.title);
  return Array.from(byTitle).flatMap(([title, [first, ...others]]) =>
    others.map((name): Problem => {
      const message = `title: readers cannot tell it from components/${first}.json, which is also called "${title}"`;
      return { subject: `components/${name}.json`, message, level: 'warning' };
    }),
  );
}

/** Tests that tell whether a workflow can publish to a kind of host. GitHub's own runners cannot reach the folder of a server. */
const workflowTests = {
  pages: (text: string) => text.includes('actions/deploy-pages@'),
  cloudflare: (text: string) => text.includes('wrangler deploy'),
  folder: (text: string) => !/runs-on: *(?:ubuntu|windows|macos)-/.test(text),
};

/**
 * Finds a workflow that cannot publish to the host in `site/site.json`. The workflow would succeed each day, but readers of this host would
 * still see the old site.
 */
function findOtherHost(root: string, settings: Settings | undefined): Problem[] {
  const { hosting } = settings ?? {};
  const subject = '.github/workflows/daily.yml';
  const workflow = readIfThere(join(root, subject), subject)?.toString();
  const kind = typeof hosting === 'object' ? 'folder' : hosting;
  if (workflow === undefined || kind === undefined || workflowTests[kind](workflow)) {
    return [];
  }

  const message = `has no step of the host in site/site.json (${kind}), so readers there would keep the old site. Copy the step from the file that "npx release-index init" writes for this host`;
  return [{ subject, message, level: 'warning' }];
}

/** Compares the settings with those at the commit of the last run. Empty if they cannot be read, for example outside of a repository. */
export async function findOtherFeedIds(
  root: string,
  settings: Settings | undefined,
  signal: AbortSignal,
): Promise<Problem[]> {
  const git = openGit(root, signal);
  const [commit] = await listLinesIfAny(git, 'log', '-1', '--format=%h', '--', 'data/runs');
  const text = commit && (await readCommitted(git, commit, 'site/site.json'));
  try {
    const published = text && Settings.parse(JSON.parse(text));
    return published && settings ? listOtherFeedIds(published, settings) : [];
  } catch {
    return [];
  }
}

/** Lists the components in `data/`. The other files there belong to the whole index. */
function listRecorded(root: string): string[] {
  return listNames(join(root, 'data')).filter((name) => name !== 'held' && name !== 'freshness');
}

/** Lists recorded data without a definition. */
function listLeftData(root: string, recorded: readonly string[]): Problem[] {
  const defined = listNames(join(root, 'components'));
  const left = recorded.filter((name) => !defined.includes(name));
  return left.map((name) => {
    const message = `components/${name}.json is missing. If you removed the component, delete data/${name}.json, too. If you renamed it, add "renamedFrom": ["${name}"] to its new definition, and move data/${name}.json and data/journal/${name}.ndjson to its new name`;
    return { subject: `data/${name}.json`, message };
  });
}

/* Functions that find probable mistakes in valid definitions. */

interface Defined {
  name: string;
  definition: Definition;
  /** The judged component. Undefined if it could not be judged. */
  component: Component | undefined;
  recorded: Recorded | undefined;
  answers: Freshness[string] | undefined;
}

function checkDefinition(
  { name, definition, component, recorded, answers }: Defined,
  isPrivate: (source: Source) => boolean,
  day: Day,
): Problem[] {
  const warnings = [
    ...listDisclosedNames(definition, isPrivate),
    ...listMoved(definition, answers),
  ];
  const notices: string[] = [];
  // Finds the newest release whose file names are known.
  const newest = recorded?.releases.findLast(({ assets }) => assets !== undefined);
  // Until the sources have been asked for the first time, there are no releases to compare with.
  if (component?.releases.length) {
    warnings.push(
      ...listWrongEnds(definition, component),
      ...listWrongVersions(definition, component),
      ...listEmptyStops(definition, component),
      ...listUnfitPatterns(name, definition, newest),
      ...listSpellings(component),
    );
    notices.push(...listUnclearDigests(definition, component, newest));
  }

  const subject = `components/${name}.json`;
  return [
    ...listLaterEnds(name, definition, day),
    ...warnings.map((message): Problem => ({ subject, message, level: 'warning' })),
    ...notices.map((message): Problem => ({ subject, message, level: 'notice' })),
  ];
}

interface Address {
  datasource: string;
  url?: string | undefined;
  registryUrl?: string | undefined;
}

/** Lists the sources that have permanently moved to another URL, according to their host. */
function* listMoved(
  { sources, support }: Definition,
  answers: Freshness[string] = {},
): Generator<string> {
  const ends = support?.policy === 'stated' ? [support.source] : [];
  for (const [position, [id, source]] of [...nameSources([...sources, ...ends])].entries()) {
    const { movedTo } = answers[id] ?? {};
    const { datasource, url, registryUrl }: Address = source;
    const ofRegistry = datasource.startsWith('git') && !registryUrl ? 'packageName' : 'registryUrl';
    // If the definition already names the new registry, nothing is reported, because the next run asks the new registry.
    if (movedTo && !(registryUrl && movedTo.startsWith(registryUrl))) {
      const place = position < sources.length ? `sources[${position}]` : 'support.source';
      yield `${place}.${url ? 'url' : ofRegistry}: ${id} has moved for good to ${movedTo}. Write the new address, because the old one may end`;
    }
  }
}

/** Lists package names that are sent to OSV, although the packages may be private. */
function* listDisclosedNames({ sources }: Definition, isPrivate: (source: Source) => boolean) {
  if (sources.some(({ datasource, url }) => datasource === 'osv' && !url)) {
    for (const source of sources.filter((each) => nameOsvPackage(each) && isPrivate(each))) {
      yield `OSV is sent the name "${source.packageName}", which may be private. If it is, remove the osv source`;
    }
  }
}

/** Finds end dates that a support policy gives for lines without releases. Usually the line's name is mistyped. */
function* listWrongEnds({ support }: Definition, { lines }: Component) {
  const exceptions = support?.policy === 'dated' ? undefined : support?.lines;
  for (const [name, exception] of Object.entries(exceptions ?? {})) {
    const until = typeof exception === 'string' ? exception : exception.until;
    const { since, releases = 0 } = lines.find(({ line }) => line === name) ?? {};
    if (releases === 0) {
      yield `support.lines["${name}"]: no release is in this line`;
    } else if (since !== undefined && until < since) {
      yield `support.lines["${name}"]: ${until} is before the line's first release (${since})`;
    }
  }
}

/**
 * Finds a rule that selects no required stop, and required stops between two releases that have no release that can be installed. Renovate
 * never gets past such a stop.
 */
function* listEmptyStops(
  definition: Definition,
  { requiredStops, releases, latest = '0' }: Component,
) {
  if (definition.requiredStops && !requiredStops) {
    const { lines } = definition.requiredStops;
    yield lines === 'lts'
      ? 'requiredStops: no release line has long-term support, so there is no stop'
      : `requiredStops: ${String(lines)} matches no release line, so there is no stop`;
  }

  const oldest = releases[0]!.version;
  for (const { stop, release } of requiredStops?.stops ?? []) {
    const isPassed = compareNames(oldest, stop) < 0 && compareNames(stop, latest) < 0;
    if (release === undefined && isPassed) {
      yield `requiredStops: no release of ${stop} can be installed, so Renovate proposes nothing beyond it`;
    }
  }
}

/** Finds versions and ranges in `deprecated` and `advisories` that match no release. */
function* listWrongVersions(
  { deprecated = [], advisories = [] }: Definition,
  { releases }: Component,
) {
  const versions = releases.map(({ version }) => readVersion(version));
  const stated = [
    ...deprecated.map((entry, i) => ({ path: `deprecated[${i}].versions`, range: entry.versions })),
    ...advisories.flatMap(({ id, affected, fixed = [] }) => [
      { path: `advisories: ${id}: affected`, range: affected },
      { path: `advisories: ${id}: fixed`, range: fixed },
    ]),
  ];
  for (const { path, range } of stated) {
    // `range` is either one range, or a list of versions, each of which must match a release.
    const parts = typeof range === 'string' ? [range] : range.map((version) => [version]);
    for (const part of parts) {
      if (!versions.some(createVersionTest(part))) {
        yield `${path}: "${part}" matches no release of the index`;
      }
    }
  }
}

/**
 * Finds a release that two sources spell differently, such as 1.0 and 1.0.0. The index would list it twice. A deprecation of one spelling
 * would not affect the other.
 */
function* listSpellings({ releases }: Component) {
  const groups = Map.groupBy(releases, ({ version }) => keyRelease(readVersion(version)));
  const pairs = [...groups.values()].filter(([a, b]) => {
    return a && b && !a.sources.some((source) => b.sources.includes(source));
  });
  const newest = pairs.at(-1)?.map(({ version, sources }) => `${version} (${sources.join(', ')})`);
  if (newest) {
    const count = formatCount(pairs.length, 'such pair');
    yield `sources: ${newest.join(' and ')} are probably one release in two spellings (${count}). Exclude one spelling by "allowedVersions" in its source`;
  }
}

/** Finds patterns of `digestOf` that match no file of the newest release, or several files. */
function* listUnfitPatterns(
  component: string,
  { sources }: Definition,
  newest: RecordedRelease | undefined,
) {
  const { version, assets = [], files = {} } = newest ?? {};
  if (version === undefined) {
    return;
  }

  for (const [position, { digestOf }] of sources.entries()) {
    const patterns = typeof digestOf === 'object' ? Object.entries(digestOf) : [];
    for (const [name, text] of patterns) {
      const { test } = compilePattern(text);
      const matching = assets.filter(test);
      if (matching.length !== 1 && !Object.hasOwn(files, name)) {
        const matches = matching.length === 0 ? 'no file' : formatList(matching, 5);
        const all = formatList(assets, 20);
        yield `sources[${position}].digestOf["${name}"]: expected a pattern for one file of ${version}; it matches ${matches} of ${all}. Until it is corrected, no ${component}/<name>.json lists ${version}`;
      }
    }
  }
}

/** Finds several SHA-256 digests without file names in the latest release. Renovate accepts only one digest for a version. */
function* listUnclearDigests(
  { sources }: Definition,
  { releases }: Component,
  newest: RecordedRelease | undefined,
) {
  const latest = releases.find(({ isLatest }) => isLatest);
  const digests = latest?.digests?.filter((digest) => digest.startsWith('sha256:')) ?? [];
  const isRebuilt = sources.some(({ rebuildsTags }) => rebuildsTags);
  if (latest && !latest.digest && !latest.files && digests.length > 1 && !isRebuilt) {
    const { assets = [] } = newest ?? {};
    const hint = assets.length > 0 ? `: ${formatList(assets, 20)}` : '';
    const sourceNames = latest.sources.join(', ');
    yield `sources: ${latest.version} has ${digests.length} SHA-256 digests (${sourceNames}), so none is published. In github-releases and pypi, choose one file or several by "digestOf"${hint}`;
  }
}
