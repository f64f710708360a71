/** What is probably wrong with a definition that can be read. */
import { nameOsvPackage } from '../core/datasources.ts';
import type { Problem } from '../core/errors.ts';
import { createVersionTest } from '../core/range.ts';
import type { Definition, Source } from '../core/schema/definition.ts';
import type { Component } from '../core/schema/published.ts';
import { formatList } from '../core/text.ts';
import { readVersion } from '../core/version.ts';

/** `component`: as it was judged, if it was. */
export function checkDefinition(
  name: string,
  definition: Definition,
  component: Component | undefined,
  isPrivate: (source: Source) => boolean,
): Problem[] {
  const problems: Problem[] = [];
  const subject = `components/${name}.json`;
  for (const message of listToldNames(definition, isPrivate)) {
    problems.push({ subject, message, level: 'warning' });
  }
  // Before the first gathering, there is nothing to compare with.
  if (component?.releases.length) {
    for (const message of listMistakes(definition, component)) {
      problems.push({ subject, message, level: 'warning' });
    }
    for (const message of listUnclearDigests(definition, component)) {
      problems.push({ subject, message, level: 'notice' });
    }
  }
  return problems;
}

/** Names of packages that OSV is told, though they may be private. */
function* listToldNames({ sources }: Definition, isPrivate: (source: Source) => boolean) {
  if (sources.some(({ datasource, url }) => datasource === 'osv' && !url)) {
    for (const source of sources.filter((each) => nameOsvPackage(each) && isPrivate(each))) {
      yield `osv is told the name "${source.packageName}" of another registry. If it is private, take out osv`;
    }
  }
}

/** Values that fit no release: usually a typing error. */
function* listMistakes(
  { support, deprecated = [], advisories = [] }: Definition,
  { lines, releases }: Component,
) {
  const ends = support?.policy === 'dated' ? {} : (support?.lines ?? {});
  for (const [name, end] of Object.entries(ends)) {
    const until = typeof end === 'string' ? end : end.until;
    const since = lines.find(({ line }) => line === name)?.since;
    if (since === undefined) {
      yield `support.lines["${name}"]: there is no such line`;
    } else if (until < since) {
      yield `support.lines["${name}"]: ${until} is before the line's first release (${since})`;
    }
  }

  const versions = releases.map(({ version }) => readVersion(version));
  const stated = [
    ...deprecated.map((entry, i) => [`deprecated[${i}].versions`, entry.versions] as const),
    ...advisories.map(({ id, affected }) => [`advisories: ${id}: affected`, affected] as const),
    ...advisories.map(({ id, fixed = [] }) => [`advisories: ${id}: fixed`, fixed] as const),
  ];
  for (const [path, range] of stated) {
    for (const each of typeof range === 'string' ? [range] : range.map((version) => [version])) {
      if (!versions.some(createVersionTest(each))) {
        yield `${path}: "${each}" is no release in the index`;
      }
    }
  }
}

/** Renovate takes one digest of a version. */
function* listUnclearDigests({ sources }: Definition, { releases }: Component) {
  const latest = releases.find(({ isLatest }) => isLatest);
  const digests = latest?.digests?.filter((digest) => digest.startsWith('sha256:')) ?? [];
  const isRebuilt = sources.some(({ rebuildsTags }) => rebuildsTags);
  if (latest && !latest.digest && digests.length > 1 && !isRebuilt) {
    yield `sources: of ${digests.length} SHA-256 of ${latest.version} (${formatList(latest.sources, 3)}), none is published. In github-releases, "digestOf" names the file that is meant`;
  }
}
