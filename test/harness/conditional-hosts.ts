/** Hosts of packages that know which answer a client has already, and count what they are asked. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdDecompressSync } from 'node:zlib';
import { readFiles, writeIndex, type Facts } from './components.ts';
import { imitatedUpstreams } from './imitated-upstreams.ts';
import { digestOf } from './imitation.ts';
import { openIndex } from './index-folder.ts';
import { startUpstream, type Documents, type Handler } from './upstream.ts';

/** How each kind of host lists releases, and how many the package of a number has. */
const kinds = {
  npm: { upstream: 'npm', count: countUsual },
  /** It states only a day, not a tag. */
  maven: { upstream: 'maven', count: countUsual },
  // One is a full page, and some have three.
  github: {
    upstream: 'github-releases',
    count: (place: number) => (place === 0 ? 100 : 41 + 70 * (place % 4)),
  },
};
type KindName = keyof typeof kinds;

function countUsual(place: number): number {
  return 21 + (place % 9);
}

/** The newest first. */
const listReleases = (count: number) =>
  Array.from({ length: count }, (_, patch) => ({ version: `1.0.${patch}`, at })).toReversed();
const at = '2026-01-01T00:00:00Z';

interface Tally {
  requests: number;
  /** Answers without a body. */
  same: number;
}

/** An index of so many components of each kind, whose hosts answer on loopback, each component below its name. */
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
    /** What the hosts tell of a run; and what is recorded, with and without the folder of answers. */
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

/** Answers 304 to whom has the answer already, and packs bodies. */
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

/** All that a folder of answers says, with bodies as they were before they were packed. */
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
