/** What is probably wrong with a definition that can be read. */
import { nameOsvPackage } from '../core/datasources.ts';
import type { Problem } from '../core/errors.ts';
import { compilePattern } from '../core/pattern.ts';
import { createVersionTest } from '../core/range.ts';
import type { Definition, Source } from '../core/schema/definition.ts';
import type { Component } from '../core/schema/published.ts';
import type { Recorded, RecordedRelease } from '../core/schema/recorded.ts';
import { formatCount, formatList } from '../core/text.ts';
import { keyRelease, readVersion } from '../core/version.ts';

interface Defined {
  name: string;
  definition: Definition;
  /** As it was judged, if it was. */
  component: Component | undefined;
  recorded: Recorded | undefined;
}

export function checkDefinition(
  { name, definition, component, recorded }: Defined,
  isPrivate: (source: Source) => boolean,
): Problem[] {
  const warnings = [...listToldNames(definition, isPrivate)];
  const notices: string[] = [];
  // The newest release of which the names of its files are known.
  const newest = recorded?.releases.findLast(({ assets }) => assets !== undefined);
  // Before the first gathering, there is nothing to compare with.
  if (component?.releases.length) {
    warnings.push(
      ...listWrongEnds(definition, component),
      ...listWrongVersions(definition, component),
      ...listUnfitPatterns(name, definition, newest),
      ...listSpellings(component),
    );
    notices.push(...listUnclearDigests(definition, component, newest));
  }

  const subject = `components/${name}.json`;
  return [
    ...warnings.map((message): Problem => ({ subject, message, level: 'warning' })),
    ...notices.map((message): Problem => ({ subject, message, level: 'notice' })),
  ];
}

/** Names of packages that OSV is told, though they may be private. */
function* listToldNames({ sources }: Definition, isPrivate: (source: Source) => boolean) {
  if (sources.some(({ datasource, url }) => datasource === 'osv' && !url)) {
    for (const source of sources.filter((each) => nameOsvPackage(each) && isPrivate(each))) {
      yield `osv is told the name "${source.packageName}" of another registry. If it is private, take out osv`;
    }
  }
}

/** Ends of lines that fit no release: usually a typing error. */
function* listWrongEnds({ support }: Definition, { lines }: Component) {
  const exceptions = support?.policy === 'dated' ? undefined : support?.lines;
  for (const [name, exception] of Object.entries(exceptions ?? {})) {
    const until = typeof exception === 'string' ? exception : exception.until;
    const { since, releases = 0 } = lines.find(({ line }) => line === name) ?? {};
    if (releases === 0) {
      yield `support.lines["${name}"]: there is no such line`;
    } else if (since !== undefined && until < since) {
      yield `support.lines["${name}"]: ${until} is before the line's first release (${since})`;
    }
  }
}

/** Versions and ranges that no release has. */
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
    // A text is a range. Of a list, each version must fit.
    const parts = typeof range === 'string' ? [range] : range.map((version) => [version]);
    for (const part of parts) {
      if (!versions.some(createVersionTest(part))) {
        yield `${path}: "${part}" is no release in the index`;
      }
    }
  }
}

/** A release that two sources spell as two: one would be behind the other, and what is said of one not of the other. */
function* listSpellings({ releases }: Component) {
  const groups = Map.groupBy(releases, ({ version }) => keyRelease(readVersion(version)));
  const pairs = [...groups.values()].filter(([a, b]) => {
    return a && b && !a.sources.some((source) => b.sources.includes(source));
  });
  const newest = pairs.at(-1)?.map(({ version, sources }) => `${version} (${sources.join(', ')})`);
  if (newest) {
    const count = formatCount(pairs.length, 'such pair');
    yield `sources: ${newest.join(' and ')} are probably one release (${count}). Leave the spelling of one source out by allowedVersions`;
  }
}

/** Patterns that fit no file of the newest release, or several. */
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
      const fitting = assets.filter(test);
      if (fitting.length !== 1 && !Object.hasOwn(files, name)) {
        const fits = fitting.length === 0 ? 'no file' : formatList(fitting, 5);
        const all = formatList(assets, 20);
        yield `sources[${position}].digestOf["${name}"]: expected it to fit one file of ${version}; it fits ${fits} of ${all}. Until then, no ${component}/<name>.json lists ${version}`;
      }
    }
  }
}

/** Renovate takes one digest of a version. */
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
    yield `sources: of ${digests.length} SHA-256 of ${latest.version} (${latest.sources.join(', ')}), none is published. In github-releases and pypi, "digestOf" names the file that is meant, or several${hint}`;
  }
}
