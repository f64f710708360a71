import compare from 'semver/functions/compare.js';
import prerelease from 'semver/functions/prerelease.js';
import valid from 'semver/functions/valid.js';
import * as z from 'zod';
import { defineSource, type PackageSource, definePackage, matchPackage } from './datasource.ts';
import {
  listElements,
  readReleases,
  listTextLines,
  readJson,
  OptionalText,
  readSemverPrerelease,
} from './shared/document.ts';
import { joinUrl, textTypes } from './shared/requests.ts';

const Version = z.string().regex(/^v\d/, { error: 'expected a version such as v1.2.3' });

/** go.dev/ref/mod#pseudo-versions: commits without a release (v0.0.0-20191109021931-daa7c04131f5), which some proxies list. */
const pseudoVersion = /^v\d+\.(?:0\.0-|\d+\.\d+-(?:[^+]*\.)?0\.)\d{14}-[A-Za-z0-9]+(?:\+.*)?$/;

/** go.dev/ref/mod#goproxy-protocol. `Time`: of the commit; `Origin`: its repository. */
const Info = z.object({
  Time: z.string().nullish(),
  Origin: z.object({ URL: OptionalText }).nullish(),
});
const infoTypes = { alsoAccept: ['text/plain'] };

const defaultRegistry = 'https://proxy.golang.org/';

/** Asks a module proxy. Each major version from v2 on is a separate module. */
export const go = defineSource({
  datasource: 'go',
  osvEcosystem: 'Go',
  defaultRegistry,
  coordinates: definePackage(
    /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/[\w~-][\w.~-]*)*$/,
    'github.com/owner/module/v2',
    'proxy.golang.org',
    defaultRegistry,
  ),
  renovate: matchPackage,
  statesDeprecation: true,
  async gather(source, { http }) {
    const url = createAddress(source, ['@v', 'list']);
    const list = await http.fetch({ url, ...textTypes, mayBeEmpty: true });
    const days = readListedDays(listTextLines(list.url, list.text()));
    const versions = [...days.keys()];
    const semverVersions = versions.filter(isSemver);
    const latest = findRetractingVersion(semverVersions);
    const modUrl = latest && createAddress(source, ['@v', `${latest}.mod`]);
    const file = modUrl && (await http.fetch({ url: modUrl, ...textTypes })).text();
    const mod = parseGoMod(file ?? '');
    const retracted = findRetracted(semverVersions, mod.retractions);

    return readReleases(list.url, listElements(versions), Version, (name) => ({
      deprecated: retracted.get(name) ?? mod.deprecated,
      isPrerelease: readSemverPrerelease(name),
      async *requestFacts() {
        const info = { url: createAddress(source, ['@v', `${name}.info`]), isKept: false };
        const day =
          days.get(name) ?? readJson(await http.fetch({ ...info, ...infoTypes }), Info).Time;
        yield { releaseTimestamp: day ?? undefined };
      },
    }));
  },
  async describe(source, context) {
    const url = createAddress(source, ['@latest']);
    const { Origin: origin } = readJson(await context.http.fetch({ url, ...infoTypes }), Info);
    return { repository: origin?.URL };
  },
});

function createAddress(
  { packageName, registryUrl }: PackageSource,
  path: readonly string[],
): string {
  const segments = [...packageName.split('/'), ...path].map(escapeCapitals);
  return joinUrl(registryUrl ?? defaultRegistry, segments);
}

/** The days of the listed versions. Some proxies, for instance of vendored folders, append the day to the version. */
function readListedDays(lines: readonly string[]) {
  const days = new Map<string, string | undefined>();
  for (const line of lines) {
    const [version = '', day] = line.trim().split(/\s+/);
    if (!pseudoVersion.test(version)) {
      days.set(version, day);
    }
  }
  return days;
}

/** Not every file system is case-sensitive: go.dev/ref/mod#goproxy-protocol. */
function escapeCapitals(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
}

function isSemver(version: string): boolean {
  return version.startsWith('v') && valid(version) !== null;
}

/**
 * The version whose go.mod lists retracted versions: the latest one, even if retracted itself (go.dev/ref/mod#go-mod-file-retract).
 * Prefers stable versions with a go.mod.
 */
function findRetractingVersion(versions: readonly string[]): string | undefined {
  return versions.toSorted((a, b) => rankGoMod(a) - rankGoMod(b) || compare(a, b)).at(-1);
}

/** 2 for a stable version with a go.mod, 1 for a prerelease with one, 0 for a version without. */
function rankGoMod(version: string): number {
  if (version.endsWith('+incompatible')) {
    return 0;
  }

  return prerelease(version) ? 1 : 2;
}

/** The statements of a go.mod on its module. */
interface GoMod {
  /** Why the whole module is deprecated. */
  deprecated?: string | undefined;
  retractions: Retraction[];
}

/** Retracted versions: from `low` to `high`. */
interface Retraction {
  low: string;
  high: string;
  /** Empty if not stated. */
  reason: string;
}

/** Reads the directives `module` and `retract` (go.dev/ref/mod#go-mod-file). */
export function parseGoMod(text: string): GoMod {
  const mod: GoMod = { retractions: [] };

  for (const { verb, words, comment } of listDirectives(text)) {
    if (verb === 'module') {
      mod.deprecated = /(?:^|\n\n)Deprecated:\s*(.*?)(?:\n\n|$)/s.exec(comment)?.[1]?.trimEnd();
    } else if (verb === 'retract') {
      const [low, high] = words.match(/v\d[^\s,\]"`]*/g) ?? [];
      if (low !== undefined) {
        mod.retractions.push({ low, high: high ?? low, reason: comment });
      }
    }
  }

  return mod;
}

/** The directives of a go.mod, on one line or in a block, each with the comment above it, behind it, or above its block. */
function listDirectives(text: string) {
  const directives = [];
  let comments: string[] = [];
  let block: { verb: string; comment: string } | undefined;

  for (const line of text.split('\n')) {
    const [code = '', ...afterSlashes] = line.split('//');
    const words = code.trim();
    if (afterSlashes.length > 0) {
      comments.push(afterSlashes.join('//').trim());
    } else if (words === '') {
      // A comment above an empty line belongs to no directive.
      comments = [];
    }
    if (words === '') {
      continue;
    }

    const [verb = ''] = words.split(/\W/, 1);
    const comment = comments.join('\n');
    comments = [];

    if (/^\w+\s*\($/.test(words)) {
      block = { verb, comment };
    } else if (words === ')') {
      block = undefined;
    } else if (block) {
      directives.push({ verb: block.verb, words, comment: comment || block.comment });
    } else {
      directives.push({ verb, words, comment });
    }
  }

  return directives;
}

/** The reasons of the retracted versions. Where retractions overlap, the one that ends last gives the reason. */
function findRetracted(
  versions: readonly string[],
  retractions: readonly Retraction[],
): Map<string, string> {
  const waiting = retractions
    .filter(({ low, high }) => isSemver(low) && isSemver(high))
    .sort((a, b) => compare(b.low, a.low));
  const reasons = new Map<string, string>();
  let longest: Retraction | undefined;

  for (const version of versions.toSorted(compare)) {
    while (waiting.length > 0 && compare(waiting.at(-1)!.low, version) <= 0) {
      const next = waiting.pop()!;
      longest = longest && compare(longest.high, next.high) >= 0 ? longest : next;
    }
    if (longest && compare(version, longest.high) <= 0) {
      reasons.set(version, longest.reason);
    }
  }

  return reasons;
}
