/** Starts package hosts that support conditional requests (RFC 9110, section 13). They count all requests, and their 304 answers. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdDecompressSync } from 'node:zlib';
import { readFiles, writeIndex, type Facts } from './components.ts';
import { imitatedUpstreams } from './imitated-upstreams.ts';
import { digestOf } from './imitation.ts';
import { openIndex } from './index-folder.ts';
import { startUpstream, type Documents, type Handler } from './upstream.ts';

/** The kinds of package hosts. `count` takes the position of a package at its host, from 0, and returns the number of its releases. */
const kinds = {
  npm: { upstream: 'npm', count: countUsual },
  /** A Maven repository sends `Last-Modified`. The other hosts send `ETag`. */
  maven: { upstream: 'maven', count: countUsual },
  // The first package fills exactly one page of 100 releases. Some others need three pages.
  github: {
    upstream: 'github-releases',
    count: (place: number) => (place === 0 ? 100 : 41 + 70 * (place % 4)),
  },
};
type KindName = keyof typeof kinds;

function countUsual(place: number): number {
  return 21 + (place % 9);
}

/** Lists releases, the newest first. */
const listReleases = (count: number) =>
  Array.from({ length: count }, (_, patch) => ({ version: `1.0.${patch}`, at })).toReversed();
const at = '2026-01-01T00:00:00Z';

interface Tally {
  requests: number;
  /** How many of the answers were 304 Not Modified. */
  same: number;
}

/**
 * Opens an index with a number of components of each kind. Their hosts answer on loopback. The path of each request starts with the
 * component's name.
 */
export async function openConditionalHosts(sizes: Readonly<Record<KindName, number>>) {
  const tallies = {} as Record<KindName, Tally>;
  const counts = {} as Record<KindName, Map<string, number>>;
  const components: Record<string, Facts> = {};
  for (const [name, size] of Object.entries(sizes) as [KindName, number][]) {
    const { upstream, count } = kinds[name];
    tallies[name] = { requests: 0, same: 0 };
    counts[name] = new Map(
      Array.from({ length: size }, (_, place) => {
        return [`${name}-${String(place).padStart(3, '0')}`, count(place)];
      }),
    );
    const { url } = await startUpstream((address) =>
      answerConditionally(name, counts[name], tallies[name], address),
    );
    for (const component of counts[name].keys()) {
      const source = imitatedUpstreams[upstream]!.source(`${url}${component}/`, []);
      components[component] = { definition: { sources: [source] } };
    }
  }
  const keeping = openIndex(writeIndex(components));
  const bare = openIndex(writeIndex(components));

  return {
    counts,
    keptIn: join(keeping.root, '.cache/http'),
    /**
     * Runs `gather` in two indexes. The first index keeps its HTTP cache from the last call. The second index starts without a cache.
     * Returns the recorded data of both indexes, and the number of requests from the first index.
     */
    async gather(day: string) {
      rmSync(join(bare.root, '.cache/http'), { recursive: true, force: true });
      const others = await bare.run('gather', '--as-of', day);
      Object.values(tallies).forEach((tally) => Object.assign(tally, { requests: 0, same: 0 }));
      const ended = await keeping.run('gather', '--as-of', day);
      return {
        status: [ended.status, others.status],
        tallies: structuredClone(tallies),
        data: readFiles(join(keeping.root, 'data')),
        bareData: readFiles(join(bare.root, 'data')),
      };
    },
  };
}

/** Returns a handler that answers 304 if the client already has the current body. It compresses other bodies. */
function answerConditionally(
  name: KindName,
  counts: ReadonlyMap<string, number>,
  tally: Tally,
  address: string,
): Handler {
  const { documents: list } = imitatedUpstreams[kinds[name].upstream]!;
  const known = new Map<string, Documents>();
  return (request, response) => {
    tally.requests += 1;
    const [, component = '', path = ''] = /^\/([\w-]+)(.*)/.exec(request.url!)!;
    const count = counts.get(component)!;
    const key = `${component} ${count}`;
    const documents = known.get(key) ?? list!(listReleases(count), address, 100);
    known.set(key, documents);
    const document = documents[path];
    if (!document) {
      response.writeHead(404).end();
      return;
    }
    const { body, type, headers } = document;
    const modified = new Date(Date.parse(at) + body.length * 1000).toUTCString();
    const tag = `"${digestOf(String(body))}"`;
    const isDated = name === 'maven';
    const isSame = isDated
      ? request.headers['if-modified-since'] === modified
      : request.headers['if-none-match'] === tag;
    const test: Record<string, string> = isDated ? { 'last-modified': modified } : { etag: tag };
    if (isSame) {
      tally.same += 1;
      response.writeHead(304, test).end();
      return;
    }
    const link = headers?.['link']?.replace('<', `</${component}`);
    const own = { 'content-type': type, 'content-encoding': 'gzip', ...headers };
    response.writeHead(200, { ...test, ...own, ...(link && { link }) }).end(gzipSync(body));
  };
}

/** Returns the content of all files in an HTTP cache folder, with uncompressed bodies. */
export function readKept(folder: string): string {
  const texts = readdirSync(folder).map((name) => {
    const bytes = readFileSync(join(folder, name));
    const end = bytes.indexOf('\n') + 1;
    return (
      bytes.toString('latin1', 0, end) + zstdDecompressSync(bytes.subarray(end)).toString('latin1')
    );
  });
  return texts.join('\n');
}
