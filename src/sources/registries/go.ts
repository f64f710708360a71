import { compare, parse, valid, type SemVer } from 'semver';
import * as z from 'zod';
import type { Http } from '../http/client.ts';
import { limitEntries, readReleases } from '../read-releases.ts';
import { anyText, anyTime, fetchJson, joinUrl } from '../requests.ts';
import type { Datasource, PackageSource } from '../types.ts';

/** go.dev/ref/mod#pseudo-versions: commits without a release, which some proxies list. */
const pseudoVersion = /^v\d+\.(?:0\.0-|\d+\.\d+-(?:[^+]*\.)?0\.)\d{14}-[A-Za-z0-9]+(?:\+.*)?$/;

/** go.dev/ref/mod#goproxy-protocol. `Time`: of the commit. */
const Info = z.object({ Time: anyTime, Origin: z.object({ URL: anyText }).nullish() });

/** Asks a module proxy. Each major version from v2 on is a module of its own. */
export const go: Datasource<PackageSource> = {
  async list(source, { http }) {
    const response = await http.fetch({ url: locate(source, '@v', 'list'), accept: 'text/plain' });
    // Some proxies append the day to the version.
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

/** go.dev/ref/mod#go-mod-file-retract: the latest version says which ones are retracted, even itself. */
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

/** Parses versions, and sorts them. Each is parsed once, because a list may have 500,000. */
function parseVersions(names: readonly string[]): SemVer[] {
  const parsed = names.map((name) => (name.startsWith('v') ? parse(name) : null));
  return parsed.filter((version) => version !== null).sort(compare);
}

/** Finds why each version is retracted: the first retraction that contains it. `versions`: sorted. */
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

/** Counts the versions at the start of a sorted list that are below a bound, by halves. */
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

/** Not every file system is case-sensitive, so capitals are escaped. */
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

/** What a go.mod says of versions: why all are deprecated, and which are retracted. */
export function parseGoMod(mod: string) {
  const directives = [...listDirectives(mod)];
  const module = directives.findLast(({ verb }) => verb === 'module');
  // The command `go` shows no notice without a text, either.
  const deprecation = /(?:^|\n\n)Deprecated:\s*(.*?)(?:\n\n|$)/s.exec(module?.comment ?? '');
  const retractions = directives.filter(({ verb }) => verb === 'retract').flatMap(readRetraction);
  return {
    deprecated: deprecation?.[1]?.trimEnd() || undefined,
    // Each may contain all versions.
    retractions: retractions.slice(0, 1000),
  };
}

interface Directive {
  verb: string;
  words: string;
  comment: string;
}

/** go.dev/ref/mod#go-mod-file: those in blocks one by one, each with the comment above it, behind it or above its block. */
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
      // A comment above an empty line belongs to no directive.
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

/** From `low` to `high`, with an empty reason if none is stated. */
function readRetraction({ words, comment }: Directive) {
  const [low, high = low] = (words.match(/v\d[^\s,\]"`]*/g) ?? []).filter(isSemver);
  return low && high ? [{ low, high, reason: comment }] : [];
}
