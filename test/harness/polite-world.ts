/** Hosts of packages that know which answer a client has already, and count what they are asked. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdDecompressSync } from 'node:zlib';
import { digestOf, inPages, linkTo } from './imitation.ts';
import { links, openIndex, createFolder, usualSettings } from './index-folder.ts';
import { readFiles } from './components.ts';
import { json, startUpstream, text, type Documents, type Handler } from './upstream.ts';

interface Kind {
  source(url: string, name: string): object;
  /** What is there of packages: the numbers of their releases by their names. */
  documents(counts: ReadonlyMap<string, number>): Documents;
  /** Of the releases of a package. */
  count?(index: number): number;
  /** It states only a day, not a tag. */
  isDated?: true;
  /** It wants a token that anybody gets. */
  hasTokens?: true;
}

const listVersions = (count: number) => Array.from({ length: count }, (_, patch) => `1.0.${patch}`);
const at = '2026-01-01T00:00:00Z';
const each = (
  counts: ReadonlyMap<string, number>,
  list: (name: string, versions: string[]) => Documents,
) =>
  Object.assign(
    {},
    ...Array.from(counts, ([name, count]) => list(name, listVersions(count))),
  ) as Documents;

export const kinds = {
  npm: {
    source: (url, name) => ({ datasource: 'npm', packageName: name, registryUrl: url }),
    documents: (counts) =>
      each(counts, (name, versions) => ({
        [`/${name}`]: json({
          versions: Object.fromEntries(
            versions.map((version) => [
              version,
              { dist: { shasum: digestOf(name + version, 'sha1') } },
            ]),
          ),
          time: { created: at, ...Object.fromEntries(versions.map((version) => [version, at])) },
        }),
      })),
  },
  pypi: {
    source: (url, name) => ({
      datasource: 'pypi',
      packageName: name,
      registryUrl: `${url}simple/`,
    }),
    documents: (counts) =>
      each(counts, (name, versions) => ({
        [`/simple/${name}/`]: {
          ...json({
            versions,
            files: versions.map((version) => ({
              filename: `${name}-${version}.tar.gz`,
              hashes: { sha256: digestOf(name + version) },
              'upload-time': at,
            })),
          }),
          type: 'application/vnd.pypi.simple.v1+json',
        },
      })),
  },
  maven: {
    source: (url, name) => ({
      datasource: 'maven',
      packageName: `com.example:${name}`,
      registryUrl: url,
    }),
    documents: (counts) =>
      each(counts, (name, versions) => {
        const list = versions.map((version) => `<version>${version}</version>`).join('');
        const poms = versions.map((version) => [
          `/com/example/${name}/${version}/${name}-${version}.pom`,
          text('', 'application/xml'),
        ]);
        return {
          [`/com/example/${name}/maven-metadata.xml`]: text(
            `<metadata><versioning><versions>${list}</versions></versioning></metadata>`,
            'application/xml',
          ),
          ...Object.fromEntries(poms),
        };
      }),
    isDated: true,
  },
  helm: {
    source: (url, name) => ({ datasource: 'helm', packageName: name, registryUrl: url }),
    documents: (counts) => {
      const charts = Array.from(counts, ([name, count]) => {
        const list = listVersions(count).map(
          (version) => `  - version: ${version}\n    created: ${at}\n`,
        );
        return `  ${name}:\n${list.join('')}`;
      });
      return { '/index.yaml': text(`entries:\n${charts.join('')}`, 'text/yaml') };
    },
  },
  oci: {
    source: (url, name) => ({ datasource: 'docker', packageName: name, registryUrl: url }),
    documents: (counts) =>
      each(counts, (name, versions) => ({
        [`/v2/${name}/tags/list?n=1000`]: json({ tags: versions }),
        ...Object.fromEntries(
          versions.flatMap((version) => [
            [`/v2/${name}/manifests/${version}`, json({ config: { digest: `sha256:${version}` } })],
            [`/v2/${name}/blobs/sha256:${version}`, json({ created: at })],
          ]),
        ),
      })),
    count: () => 3,
    hasTokens: true,
  },
  github: {
    source: (url, name) => ({
      datasource: 'github-releases',
      packageName: `a/${name}`,
      registryUrl: url,
    }),
    documents: (counts) =>
      each(counts, (name, versions) => {
        const entries = versions
          .toReversed()
          .map((version) => ({ tag_name: version, published_at: at }));
        return inPages(`/repos/a/${name}/releases?per_page=100`, entries, 100, (page, next) =>
          json(page, linkTo(next)),
        );
      }),
    // One is a full page, and some have three.
    count: (index) => (index === 0 ? 100 : 41 + 70 * (index % 4)),
  },
} satisfies Record<string, Kind>;
export type KindName = keyof typeof kinds;

interface Tally {
  requests: number;
  /** Answers without a body. */
  same: number;
  /** Of bodies. */
  bytes: number;
}

/** An index of so many components of each kind, whose hosts answer on loopback. */
export async function openPoliteWorld(sizes: Readonly<Record<KindName, number>>) {
  const tallies = {} as Record<KindName, Tally>;
  const worlds: { kind: Kind; own: Map<string, number>; url: string }[] = [];
  const counts = {} as Record<KindName, Map<string, number>>;
  for (const [name, size] of Object.entries(sizes) as [KindName, number][]) {
    const kind: Kind = kinds[name];
    const tally = { requests: 0, same: 0, bytes: 0 };
    const { count = (index) => 21 + (index % 9) } = kind;
    const own = new Map(
      Array.from({ length: size }, (_, index) => {
        return [`${name}-${String(index).padStart(3, '0')}`, count(index)];
      }),
    );
    tallies[name] = tally;
    counts[name] = own;
    const { url } = await startUpstream((address) => answerPolitely(kind, own, tally, address));
    worlds.push({ kind, own, url });
  }
  const indexes = [createFolder(), createFolder()].map((root) => {
    const index = openIndex(root);
    index.write('site/site.json', usualSettings);
    for (const { kind, own, url } of worlds) {
      for (const component of own.keys()) {
        const sources = [kind.source(url, component)];
        index.write(`components/${component}.json`, { title: component, ...links, sources });
      }
    }
    return index;
  });
  const [keeping, bare] = indexes as [(typeof indexes)[number], (typeof indexes)[number]];

  return {
    counts,
    keptIn: join(keeping.root, '.cache/http'),
    /** What the hosts tell of a run; and what is recorded, with and without the folder of answers. */
    async gather(day: string) {
      rmSync(join(bare.root, '.cache/http'), { recursive: true, force: true });
      const others = await bare.run('gather', '--as-of', day);
      Object.values(tallies).forEach((tally) =>
        Object.assign(tally, { requests: 0, same: 0, bytes: 0 }),
      );
      const ended = await keeping.run('gather', '--as-of', day);
      return {
        status: [ended.status, others.status],
        tallies: structuredClone(tallies),
        bytes: Object.values(tallies).reduce((sum, { bytes }) => sum + bytes, 0),
        data: readFiles(join(keeping.root, 'data')),
        bareData: readFiles(join(bare.root, 'data')),
      };
    },
  };
}

/** Answers 304 to whom has the answer already, and packs bodies. */
function answerPolitely(
  { documents, isDated, hasTokens }: Kind,
  counts: ReadonlyMap<string, number>,
  tally: Tally,
  address: string,
): Handler {
  let changes = 0;
  let known: Documents = {};
  return (request, response) => {
    const path = request.url!;
    const send = (status: number, headers: Record<string, string>, body: string | Buffer = '') => {
      tally.bytes += request.method === 'HEAD' ? 0 : body.length;
      response.writeHead(status, headers).end(body);
    };
    tally.requests += 1;
    if (path.startsWith('/token')) {
      send(200, { etag: '"token"' }, JSON.stringify({ token: anonymousToken }));
      return;
    }
    if (hasTokens && !request.headers.authorization) {
      send(401, { 'www-authenticate': `Bearer realm="${address}token"` });
      return;
    }

    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    if (total !== changes) {
      changes = total;
      known = documents(counts);
    }
    const document = known[path];
    if (!document) {
      send(404, {});
      return;
    }
    // Its second is that of the last change.
    const modified = new Date(Date.parse(at) + changes * 1000).toUTCString();
    const tag = `"${digestOf(String(document.body))}"`;
    const isSame = isDated
      ? request.headers['if-modified-since'] === modified
      : request.headers['if-none-match'] === tag;
    const test: Record<string, string> = isDated ? { 'last-modified': modified } : { etag: tag };
    if (isSame) {
      tally.same += 1;
      send(304, test);
      return;
    }
    const headers = {
      'content-type': document.type,
      'content-encoding': 'gzip',
      ...document.headers,
    };
    send(200, { ...test, ...headers }, gzipSync(document.body));
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

/** One that the tests search for. */
export const anonymousToken = 'anonymous-token-of-everybody';
