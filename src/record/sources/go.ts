import compare from 'semver/functions/compare.js';
import prerelease from 'semver/functions/prerelease.js';
import valid from 'semver/functions/valid.js';
import * as z from 'zod';
import { defineSource, type PackageSource, definePackage, matchPackage } from './datasource.ts';
import {
  listElements,
  readReleases,
  listLines,
  readJson,
  Stated,
  readSemverPrerelease,
} from './shared/document.ts';
import { joinUrl } from './shared/requests.ts';

const Version = z.string().regex(/^v\d/, { error: 'expected a version such as v1.2.3' });

/** go.dev/ref/mod#pseudo-versions: commits without a release (v0.0.0-20191109021931-daa7c04131f5), which some proxies list. */
const pseudoVersion = /^v\d+\.(?:0\.0-|\d+\.\d+-(?:[^+]*\.)?0\.)\d{14}-[A-Za-z0-9]+(?:\+.*)?$/;

/** go.dev/ref/mod#goproxy-protocol. `Time`: of the commit; `Origin`: its repository. */
const Info = z.object({ Time: z.string().nullish(), Origin: z.object({ URL: Stated }).nullish() });
const infoTypes = { accept: ['application/json'], alsoAccept: ['text/plain'] };

const textTypes = { accept: ['text/plain'], alsoAccept: ['application/octet-stream'] };

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
    const createFileAddress = (file: string) => createAddress(source, ['@v', file]);
    const list = await http.fetch({
      url: createFileAddress('list'),
      ...textTypes,
      mayBeEmpty: true,
    });

    const days = readList(listLines(list.url, list.text()));
    const versions = [...days.keys()];
    const latest = findLatest(versions);
    let mod: GoMod = { retractions: [] };
    if (latest !== undefined) {
      const url = createFileAddress(`${latest}.mod`);
      mod = parseGoMod((await http.fetch({ url, ...textTypes })).text());
    }

    return readReleases(list.url, listElements(versions), Version, (name) => ({
      deprecated: findRetraction(mod, name) ?? mod.deprecated,
      isPrerelease: readSemverPrerelease(name),
      async *requestFacts() {
        const info = { url: createFileAddress(`${name}.info`), ...infoTypes, isKept: false };
        const day = days.get(name) ?? readJson(await http.fetch(info), Info).Time;
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
function readList(lines: readonly string[]) {
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

/**
 * The version whose go.mod lists retracted versions: the latest one, even if retracted itself (go.dev/ref/mod#go-mod-file-retract).
 * Prefers stable versions with a go.mod.
 */
function findLatest(versions: readonly string[]): string | undefined {
  const rank = (version: string) => {
    if (version.endsWith('+incompatible')) {
      return 0;
    }

    return prerelease(version) ? 1 : 2;
  };

  return versions
    .filter((version) => Version.safeParse(version).success && valid(version))
    .sort((a, b) => rank(a) - rank(b) || compare(a, b))
    .at(-1);
}

/** The statements of a go.mod on its module. */
interface GoMod {
  /** Why the whole module is deprecated. */
  deprecated?: string | undefined;
  retractions: Retraction[];
}

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
      const [, reason] = /(?:^|\n\n)Deprecated:\s*(.*?)(?:\n\n|$)/s.exec(comment) ?? [];
      mod.deprecated = reason?.trimEnd();
    }

    const [low, high] = verb === 'retract' ? (words.match(/v\d[^\s,\]]*/g) ?? []) : [];
    if (low !== undefined) {
      mod.retractions.push({ low, high: high ?? low, reason: comment });
    }
  }

  return mod;
}

/** The directives of a go.mod, on one line or in a block, each with the comment above it, behind it, or above its block. */
function* listDirectives(text: string) {
  let comments: string[] = [];
  let block: { verb: string; comment: string } | undefined;

  for (const line of text.split('\n')) {
    const start = line.indexOf('//');
    const words = (start < 0 ? line : line.slice(0, start)).trim();
    if (start >= 0) {
      comments.push(line.slice(start + 2).trim());
    } else if (words === '') {
      // A comment above an empty line belongs to no directive.
      comments = [];
    }
    if (words === '') {
      continue;
    }

    const comment = comments.join('\n');
    comments = [];
    const [verb = ''] = words.split(/\W/, 1);

    if (/^\w+\s*\($/.test(words)) {
      block = { verb, comment };
    } else if (words === ')') {
      block = undefined;
    } else if (block) {
      yield { verb: block.verb, words, comment: comment || block.comment };
    } else {
      yield { verb, words, comment };
    }
  }
}

/** The reason, which may be empty; undefined for a version that is not retracted. */
function findRetraction({ retractions }: GoMod, version: string): string | undefined {
  if (!valid(version)) {
    return undefined;
  }

  const isWithin = ({ low, high }: Retraction) =>
    valid(low) && valid(high) && compare(version, low) >= 0 && compare(version, high) <= 0;
  return retractions.find(isWithin)?.reason;
}
