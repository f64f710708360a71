import { compare, parse, valid, type SemVer } from 'semver';
import * as z from 'zod';
import type { Http } from '../http/client.ts';
import { limitEntries, readReleases } from '../read-releases.ts';
import { anyText, anyTime, fetchJson, joinUrl } from '../requests.ts';
import type { Datasource, PackageSource } from '../types.ts';

/** Matches pseudo-versions (go.dev/ref/mod#pseudo-versions): commits without a release, which some proxies list. */
const pseudoVersion = /^v\d+\.(?:0\.0-|\d+\.\d+-(?:[^+]*\.)?0\.)\d{14}-[A-Za-z0-9]+(?:\+.*)?$/;

/** A version's document (go.dev/ref/mod#goproxy-protocol). `Time` is the time of the commit. */
const Info = z.object({ Time: anyTime, Origin: z.object({ URL: anyText }).nullish() });

/** Reads versions from a module proxy. Each major version from v2 on is a separate module. */
export const go: Datasource<PackageSource> = {
  async list(source, { http }) {
    const response = await http.fetch({ url: locate(source, '@v', 'list'), accept: 'text/plain' });
    // Some proxies write the date after the version.
    const names = limitEntries(response.url, response.text().split('\n'))
      .map((line) => line.trim().replace(/\s.*/, ''))
      .filter((version) => version && !pseudoVersion.test(version));

    const versions = parseVersions(names);
    const { deprecated, retractions } = await fetchGoMod(source, versions, http);
    const reasons = findRetracted(versions, retractions);
    const entry = z
      .string()
      .regex(/^v\d/, { error: 'expected a version such as v1.2.3' })
      .transform((version) => {
        return { version, deprecated: reasons.get(version), isSemver: true };
      });
    return { ...readReleases(response.url, names, entry), deprecated };
  },
  async lookUp(source, { version }, { http }) {
    const url = locate(source, '@v', `${version}.info`);
    const { Time } = await fetchJson(http, { url }, Info);
    return { releaseTimestamp: Time };
  },
  async describe(source, { http }) {
    const { Origin } = await fetchJson(http, { url: locate(source, '@latest') }, Info);
    return { repository: Origin?.URL };
  },
};

/**
 * Requests the go.mod of the latest version. It lists the retracted versions, perhaps even the latest version itself
 * (go.dev/ref/mod#go-mod-file-retract).
 */
async function fetchGoMod(source: PackageSource, versions: readonly SemVer[], http: Http) {
  const modules = versions.filter(({ raw }) => !raw.endsWith('+incompatible'));
  const latest =
    modules.findLast(({ prerelease }) => prerelease.length === 0) ??
    modules.at(-1) ??
    versions.at(-1);
  if (latest === undefined) {
    return parseGoMod('');
  }

  const url = locate(source, '@v', `${latest.raw}.mod`);
  return parseGoMod((await http.fetch({ url, accept: 'text/plain' })).text());
}

/** Parses and sorts versions. Each is parsed only once, because a list may have 500,000. */
function parseVersions(names: readonly string[]): SemVer[] {
  const parsed = names.map((name) => (name.startsWith('v') ? parse(name) : null));
  return parsed.filter((version) => version !== null).sort(compare);
}

/**
 * Maps each version to the reason for its retraction. The reason is undefined if the version is not retracted. If several retractions
 * contain a version, the first one counts. `versions` must be sorted.
 */
function findRetracted(
  versions: readonly SemVer[],
  retractions: ReturnType<typeof parseGoMod>['retractions'],
): Map<string, string | undefined> {
  const reasons = versions.map((): string | undefined => undefined);
  for (const { low, high, reason } of retractions) {
    const end = countBelow(versions, (version) => version.compare(high) <= 0);
    let index = countBelow(versions, (version) => version.compare(low) < 0);
    for (; index < end; index += 1) {
      reasons[index] ??= reason;
    }
  }
  return new Map(versions.map(({ raw }, index) => [raw, reasons[index]]));
}

/** Counts the versions of a sorted list that are below a bound. Uses binary search. */
function countBelow(versions: readonly SemVer[], isBelow: (version: SemVer) => boolean): number {
  let [count, end] = [0, versions.length];
  while (count < end) {
    const middle = Math.floor((count + end) / 2);
    if (isBelow(versions[middle]!)) {
      count = middle + 1;
    } else {
      end = middle;
    }
  }
  return count;
}

/** Returns the URL of a module's document. Capitals are escaped, because not every file system is case-sensitive. */
function locate(
  { packageName, registryUrl = 'https://proxy.golang.org/' }: PackageSource,
  ...path: string[]
): string {
  const segments = [...packageName.split('/'), ...path];
  return joinUrl(
    registryUrl,
    segments.map((segment) => segment.replaceAll(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`)),
  );
}

function isSemver(version: string): boolean {
  return version.startsWith('v') && valid(version) !== null;
}

/** Reads the deprecation message and the retracted versions of a module from its go.mod. */
export function parseGoMod(mod: string) {
  const directives = [...listDirectives(mod)];
  const module = directives.findLast(({ verb }) => verb === 'module');
  // A deprecation without a text is ignored. The command `go` ignores it, too.
  const deprecation = /(?:^|\n\n)Deprecated:\s*(.*?)(?:\n\n|$)/s.exec(module?.comment ?? '');
  const retractions = directives.filter(({ verb }) => verb === 'retract').flatMap(readRetraction);
  return {
    deprecated: deprecation?.[1]?.trimEnd() || undefined,
    // The number of retractions is limited. Each one may contain all versions, and takes time for each of them.
    retractions: retractions.slice(0, 1000),
  };
}

interface Directive {
  verb: string;
  words: string;
  comment: string;
}

/**
 * Yields the directives of a go.mod (go.dev/ref/mod#go-mod-file). The directives in a block are yielded one by one. The comment of a
 * directive is above it, after it, or above its block.
 */
function* listDirectives(mod: string): Generator<Directive> {
  let comments: string[] = [];
  let block: Directive | undefined;
  for (const line of mod.split('\n')) {
    const [, code = '', remark] = /^(.*?)(?:\/\/(.*))?$/s.exec(line.trim()) ?? [];
    const words = code.trim();
    if (remark !== undefined) {
      comments.push(remark.trim());
    }
    if (words === '') {
      // A comment above an empty line doesn't belong to a directive.
      comments = remark === undefined ? [] : comments;
      continue;
    }

    const [ownVerb = ''] = words.split(/\W/, 1);
    const verb = block?.verb ?? ownVerb;
    const comment = comments.join('\n') || (block?.comment ?? '');
    comments = [];
    if (words === ')') {
      block = undefined;
    } else if (/^\w+\s*\($/.test(words)) {
      block = { verb, words, comment };
    } else {
      yield { verb, words, comment };
    }
  }
}

/** Reads a retraction: the versions from `low` to `high`, and the reason, which may be empty. */
function readRetraction({ words, comment }: Directive) {
  const [low, high = low] = (words.match(/v\d[^\s,\]"`]*/g) ?? []).filter(isSemver);
  return low && high ? [{ low, high, reason: comment }] : [];
}
