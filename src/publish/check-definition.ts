/** What is probably wrong with a definition that can be read. */
import { nameOsvPackage } from '../core/datasources.ts';
import type { Problem } from '../core/errors.ts';
import { createVersionTest } from '../core/range.ts';
import type { Definition, Source } from '../core/schema/definition.ts';
import type { Component } from '../core/schema/published.ts';

import { readVersion } from '../core/version.ts';

/** `component`: as it was judged, if it was. */
export function checkDefinition(
  name: string,
  definition: Definition,
  component: Component | undefined,
  isPrivate: (source: Source) => boolean,
): Problem[] {
  const warnings = [...listToldNames(definition, isPrivate)];
  const notices: string[] = [];
  // Before the first gathering, there is nothing to compare with.
  if (component?.releases.length) {
    warnings.push(...listWrongEnds(definition, component));
    warnings.push(...listWrongVersions(definition, component));
    notices.push(...listUnclearDigests(definition, component));
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
    const since = lines.find(({ line }) => line === name)?.since;
    if (since === undefined) {
      yield `support.lines["${name}"]: there is no such line`;
    } else if (until < since) {
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
    ...deprecated.map((entry, i) => [`deprecated[${i}].versions`, entry.versions] as const),
    ...advisories.flatMap(({ id, affected, fixed = [] }) => [
      [`advisories: ${id}: affected`, affected] as const,
      [`advisories: ${id}: fixed`, fixed] as const,
    ]),
  ];
  for (const [path, range] of stated) {
    // A text is a range. Of a list, each version must fit.
    const parts = typeof range === 'string' ? [range] : range.map((version) => [version]);
    for (const part of parts) {
      if (!versions.some(createVersionTest(part))) {
        yield `${path}: "${part}" is no release in the index`;
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
    yield `sources: of ${digests.length} SHA-256 of ${latest.version} (${latest.sources.join(', ')}), none is published. In github-releases, "digestOf" names the file that is meant`;
  }
}
