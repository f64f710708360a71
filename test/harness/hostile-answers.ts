/** Sound answers of upstreams with every key that a datasource reads. Tests replace each of their values by a hostile one. */
import { Recorded } from '../../src/core/schema/recorded.ts';
import { gatherComponent } from '../../src/record/gather.ts';
import type { Http } from '../../src/sources/http/client.ts';
import { createTestHttp, dropAbsent } from './ask-source.ts';
import { subjectOf } from './judging.ts';
import { json, serve, startUpstream, text } from './upstream.ts';

const upstream = 'https://up.example.com/';
const at = '2024-01-02T03:04:05Z';
const hex = 'a'.repeat(64);
const registryUrl = upstream;

/**
 * `pages`: documents, by a part of their path. The first document whose key occurs in a request's path is the answer. Texts are served as
 * they are, and all other values as JSON.
 */
interface Answer {
  definition: object;
  pages: Readonly<Record<string, unknown>>;
}

function ofPackage(
  datasource: string,
  packageName: string,
  pages: Answer['pages'],
  more: object = {},
): Answer {
  return { definition: { sources: [{ datasource, packageName, registryUrl, ...more }] }, pages };
}

const lines = (source: object) => ({
  sources: [{ datasource: 'static', releases: [{ version: '1.0' }] }],
  support: { policy: 'stated', source },
});

export const answers: Readonly<Record<string, Answer>> = {
  npm: ofPackage('npm', 'agent', {
    '/': {
      versions: {
        '1.0.0': {
          deprecated: 'Loses data',
          dist: { shasum: 'b'.repeat(40), signatures: [{}], attestations: { url: upstream } },
        },
        '1.1.0': {},
      },
      time: { created: at, '1.0.0': at },
    },
  }),
  pypi: ofPackage('pypi', 'agent', {
    '/': {
      'project-status': { status: 'deprecated', reason: 'old' },
      versions: ['1.0'],
      files: [
        {
          filename: 'agent-1.0.tar.gz',
          url: `${upstream}agent`,
          hashes: { sha256: hex },
          yanked: 'Loses data',
          'upload-time': at,
        },
      ],
    },
  }),
  'github-releases': ofPackage('github-releases', 'example/agent', {
    '/': [
      {
        tag_name: 'v1.0',
        published_at: at,
        html_url: `${upstream}v1.0`,
        draft: false,
        prerelease: false,
        assets: [
          { name: 'agent.zip', digest: `sha256:${hex}`, browser_download_url: `${upstream}zip` },
        ],
      },
    ],
  }),
  'gitlab-releases': ofPackage('gitlab-releases', 'example/agent', {
    '/': [{ tag_name: 'v1.0', released_at: at, _links: { self: `${upstream}v1.0` } }],
  }),
  rubygems: ofPackage('rubygems', 'agent', {
    '/': [{ number: '1.0', created_at: at, sha: hex, metadata: { changelog_uri: upstream } }],
  }),
  helm: ofPackage('helm', 'agent', {
    '/index.yaml': {
      entries: {
        agent: [{ version: '1.0', created: at, deprecated: true, digest: hex, home: upstream }],
      },
    },
  }),
  nuget: {
    definition: {
      sources: [
        { datasource: 'nuget', packageName: 'Agent', registryUrl: `${upstream}index.json` },
      ],
    },
    pages: {
      '/list/': {
        items: [
          {
            items: [
              {
                catalogEntry: {
                  version: '1.0',
                  listed: true,
                  published: at,
                  deprecation: { message: 'Loses data', alternatePackage: { id: 'Other' } },
                },
              },
            ],
          },
        ],
      },
      '/index.json': {
        resources: [{ '@id': `${upstream}list/`, '@type': 'RegistrationsBaseUrl/3.6.0' }],
      },
    },
  },
  go: ofPackage('go', 'example.com/agent', {
    '/@v/list': 'v1.0.0\nv1.1.0\n',
    '/@v/v1.1.0.mod': 'module example.com/agent\nretract v1.0.0 // Loses data\n',
    '/@v/v1.0.0.info': { Time: at },
    '/@v/v1.1.0.info': { Time: at },
  }),
  docker: ofPackage('docker', 'example/agent', {
    '/tags/list': { tags: ['1.0'] },
    '/manifests/1.0': { config: { digest: `sha256:${hex}` } },
    '/blobs/': { created: at },
  }),
  json: {
    definition: { sources: [{ datasource: 'json', url: `${upstream}list` }] },
    pages: {
      '/': {
        releases: [
          {
            version: '1.0',
            releaseTimestamp: at,
            changelogUrl: upstream,
            isDeprecated: true,
            digest: hex,
            url: upstream,
            files: { amd64: hex },
            urls: { amd64: upstream },
          },
        ],
      },
    },
  },
  osv: {
    definition: {
      sources: [
        { datasource: 'npm', packageName: 'agent' },
        { datasource: 'osv', registryUrl },
      ],
    },
    pages: {
      '/v1/query': {
        vulns: [
          {
            id: 'GHSA-1',
            aliases: ['CVE-2024-1'],
            published: at,
            summary: 'Loses data',
            affected: [
              {
                package: { ecosystem: 'npm', name: 'agent' },
                ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.1.0' }] }],
                versions: ['1.0.0'],
              },
            ],
            references: [{ url: upstream }],
          },
        ],
      },
      '/agent': { versions: { '1.0.0': {} } },
    },
  },
  'endoflife-date': {
    definition: lines({ datasource: 'endoflife-date', product: 'agent', registryUrl }),
    pages: {
      '/': {
        result: {
          releases: [
            {
              name: '1',
              codename: 'Jammy',
              releaseDate: '2024-01-01',
              isLts: true,
              ltsFrom: '2024-02-01',
              isEol: false,
              eolFrom: '2027-01-01',
            },
          ],
        },
      },
    },
  },
  'lines in json': {
    definition: lines({ datasource: 'json', url: `${upstream}lines`, transform: '$' }),
    pages: {
      '/': {
        lines: [{ line: '1', since: '2024-01-01', phases: { support: { until: '2027-01-01' } } }],
      },
    },
  },
};

/** Gathers a component whose upstream gives these documents. */
export async function gatherAnswer({ definition, pages }: Answer) {
  const { url } = await startUpstream(() => (request, response) => {
    const path = request.url!;
    const [, page] = Object.entries(pages).find(([part]) => path.includes(part)) ?? [];
    const document = typeof page === 'string' ? text(page) : json(page);
    serve(page === undefined ? {} : { [path]: document })(request, response);
  });
  const client = createTestHttp();
  const http: Http = {
    ...client,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const here = `${url.slice(0, -1)}${pathname}${search}`;
      return { ...(await client.fetch({ ...request, url: here })), url: request.url };
    },
  };
  const signal = new AbortController().signal;
  const input = { component: 'agent', ...subjectOf([], definition), freshness: {} };
  const gathered = await gatherComponent(input, { day: '2026-06-30', http, root: '', signal });
  await client.close();
  return { ...gathered, recorded: dropAbsent(gathered.recorded) };
}

/** Lists copies of an answer. In each copy, one text of a document is replaced. */
export function replaceEach({ definition, pages }: Answer, text: string): Answer[] {
  return Array.from(replaceIn(pages, text), (changed) => {
    return { definition, pages: changed as Answer['pages'] };
  });
}

function* replaceIn(value: unknown, text: string): Generator<unknown> {
  if (typeof value === 'string') {
    yield text;
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) {
      for (const changed of replaceIn(each, text)) {
        yield Array.isArray(value)
          ? value.with(Number(key), changed)
          : { ...value, [key]: changed };
      }
    }
  }
}

/** Characters that nobody sees, or that XML or JSON cannot contain. */
export const hiddenCharacters = [
  0, 0x1b, 0x85, 0xad, 0x200b, 0x202e, 0x2028, 0xd800, 0xfdd0, 0xfeff, 0xfffe, 0xffff, 0x1fffe,
  0xe0041,
].map((code) => String.fromCodePoint(code));

const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{NChar}\p{Zl}\p{Zp}]/u;

/**
 * Gathers an answer. Lists the recorded texts that contain hidden characters, the mistakes that the schema finds in the recorded data, and
 * the bugs that stopped the gathering.
 */
export async function listHidden(answer: Answer): Promise<unknown[]> {
  const { recorded, bugs } = await gatherAnswer(answer);
  const texts = listTexts(recorded).filter((each) => hidden.test(each));
  return [...texts, ...(Recorded.safeParse(recorded).error?.issues ?? []), ...bugs];
}

/** Lists the texts of a value, including the keys of objects. */
function listTexts(value: unknown): string[] {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, each]) => [key, ...listTexts(each)])
    : [String(value)];
}
