import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { formatFinding, type Finding } from '../../../src/core/schemas/finding.ts';
import type { SiteHost, SiteToDeploy } from '../../../src/deliver/host/cloudflare.ts';
import type { PublishInput } from '../../../src/deliver/publish/publication.ts';
import { readSiteConfig } from '../../../src/io/files/settings-files.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { sha256 } from '../../../src/io/files/file-system.ts';
import { digestsFile, formatDigests } from '../../../src/site/digests.ts';
import { checkout } from '../../harness/checkout.ts';
import { addComponent, createRoot, filesIn, temporaryFolder, writeIn } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { startUpstream } from '../../harness/upstream.ts';
import {
  openWorkerHere,
  passToWorker,
  readVersion,
  type Version,
} from '../../harness/worker-here.ts';
import { releases, today } from './publication.ts';

/** `cut` breaks the connection off. */
type StatedAnswer =
  'cut' | { status?: number; type?: string; body?: string; headers?: Record<string, string> };

export type MemoryHost = Awaited<ReturnType<typeof startMemoryHost>>;

/** A host in memory: serves its newest version at an address on loopback, behind the access rules of that version. */
export async function startMemoryHost() {
  const server = await startUpstream(() => (request, response) => void answer(request, response));
  const host = {
    url: new URL(server.url).origin,
    requests: server.requests,
    live: undefined as Version | undefined,
    /** Answers in place of those of the live version, by path. */
    answers: new Map<string, StatedAnswer>(),
    deployments: [] as SiteToDeploy[],
    /** The ways in which a deployment may end. */
    outcome: 'live' as 'live' | 'failed' | 'lost before the switch' | 'lost after the switch',
    /** Happens before the objection is asked for. */
    onUpload: () => {},
    onSwitch: () => {},
    waitsMs: [1, 1],
    close: () => server.close(),
    /** The state before a test. */
    begin(live?: Version) {
      Object.assign(host, {
        live,
        outcome: 'live',
        onUpload: () => {},
        onSwitch: () => {},
        waitsMs: [1, 1],
      });
      host.answers.clear();
      host.deployments.length = 0;
      host.requests.length = 0;
    },
    async deploy(site: SiteToDeploy) {
      host.deployments.push(site);
      host.onUpload();
      const reason = host.outcome === 'failed' ? 'no space.' : await site.findObjection();
      if (reason !== undefined) {
        return { kind: 'failed', reason } as const;
      }

      if (host.outcome !== 'lost before the switch') {
        host.live = readVersion(site.out, site);
        host.onSwitch();
      }
      const version = { versionId: 'v2' };
      return host.outcome === 'live'
        ? ({ kind: 'live', ...version } as const)
        : ({ kind: 'uncertain', reason: 'the connection broke off.', ...version } as const);
    },
  };
  return host satisfies SiteHost;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!.slice(1);
    const stated = host.answers.get(path);
    if (stated === 'cut') {
      return void response.destroy();
    }
    if (stated) {
      const { status = 200, type = 'application/json', body = '{}', headers } = stated;
      return void response.writeHead(status, { 'Content-Type': type, ...headers }).end(body);
    }

    const worker = openWorkerHere(host.live ?? { files: new Map() }, host.url);
    await passToWorker(worker, host.url, request, response);
  }
}

/** The files of a small site for an address, by path. */
export async function makeFiles(baseUrl: string): Promise<Readonly<Record<string, string>>> {
  const root = createRoot({ releasesUrl: baseUrl });
  addComponent(root, 'svc', releases('2026.1', '2026.2'));
  await run(['build', '--root', root.dir, '--as-of', today]);
  const files = filesIn(root.out);
  return Object.fromEntries(smallest.map((path) => [path, files[path]!]));
}

/** Some files of each kind: a publication takes as long as it has files. */
const smallest = [
  '_headers',
  'all.json',
  'details/svc.json',
  'index.html',
  'index.json',
  'latest/svc.txt',
  'renovate.json',
  'status.json',
  'svc.json',
];

/** Writes a site with a list of its digests. Returns its folder. */
export function writeSite(files: Readonly<Record<string, string>>): string {
  const out = join(temporaryFolder(), 'dist');
  const digests = new Map(Object.entries(files).map(([path, text]) => [path, sha256(text)]));
  for (const [path, text] of Object.entries({ ...files, [digestsFile]: formatDigests(digests) })) {
    writeIn(out, path, text);
  }
  return out;
}

/** Findings as a person reads them; replaces texts that differ from run to run. */
export function describeTexts(
  findings: readonly Finding[],
  ...names: readonly (readonly [text: string, name: string])[]
): string[] {
  return findings.map((finding) => {
    const text = `${finding.level}: ${formatFinding(finding)}`;
    return names.reduce((shown, [from, to]) => shown.replaceAll(from, to), text);
  });
}

export type Wishes = Partial<Omit<PublishInput, 'root' | 'config'>> & {
  /** Changes of `site/site.json`. */
  site?: object;
  /** `site/access.json`. */
  access?: object;
};

/** What a publication of a site that was just built is asked with, at a root of its own. */
export function askFor({
  site = {},
  access,
  ...wishes
}: Wishes & { out: string; baseUrl: string }): PublishInput {
  const made = createRoot({ releasesUrl: wishes.baseUrl, ...site });
  if (access) {
    made.write('site/access.json', access);
  }
  const root = openRoot(made.dir, checkout);
  return {
    root,
    config: readSiteConfig(root).value!,
    day: today,
    env: { CLOUDFLARE_API_TOKEN: 'token', CLOUDFLARE_ACCOUNT_ID: 'account' },
    signal: new AbortController().signal,
    isDryRun: false,
    comparesContent: false,
    unprotect: false,
    onProgress: () => undefined,
    ...wishes,
  };
}
