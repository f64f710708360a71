import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import type { Fetcher as TufFetcher } from 'tuf-js';
import { InputError, notice, problem, warning, type Finding } from '../core/schemas/finding.ts';
import type { Fetcher } from './http/client.ts';
import { HttpError } from './http/error.ts';

/** Names a file with the keys and authorities of another Sigstore. */
export const trustedRootVariable = 'RELEASE_INDEX_TRUSTED_ROOT';
const publicMirror = 'https://tuf-repo-cdn.sigstore.dev';
const target = 'trusted_root.json';

/** Names the origin of the trusted root: a file or a TUF repository. */
export function trustedRootOrigin(env: NodeJS.ProcessEnv): string {
  const file = env[trustedRootVariable];
  return file ? `${file} (${trustedRootVariable})` : `the public Sigstore (${publicMirror})`;
}

interface Options {
  /** Caches answers of the TUF repository until they expire. */
  folder: string;
  env: NodeJS.ProcessEnv;
  http: Fetcher;
  onFinding(finding: Finding): void;
  mirror?: string;
}

/**
 * The keys and authorities that verify attestations, read on first use: from the file that the environment names, else from the
 * public Sigstore. Throws an InputError if the file is not a trusted root.
 */
export function openTrustedRoot(options: Options): () => Promise<TrustedRoot> {
  const file = options.env[trustedRootVariable];
  const own = file ? readOwn(file) : undefined;
  let root: Promise<TrustedRoot> | undefined;
  return () => (root ??= read());

  async function read(): Promise<TrustedRoot> {
    const found = own ?? (await readPublic(options));
    const origin = found ? trustedRootOrigin(options.env) : 'the copy that came with this version';
    options.onFinding(notice('trusted root', `attestations are verified with ${origin}`));
    return found ?? shippedTrustedRoot();
  }
}

function readOwn(file: string): TrustedRoot {
  try {
    const root = TrustedRoot.fromJSON(JSON.parse(readFileSync(file, 'utf8')));
    if (root.certificateAuthorities.length > 0) {
      return root;
    }
    throw new Error('it names no certificate authority');
  } catch (error) {
    const expected = 'expected the path of a trusted root of Sigstore';
    throw new InputError([
      problem(trustedRootVariable, `${expected}; ${file}: ${(error as Error).message}`),
    ]);
  }
}

/** Asks Sigstore's TUF repository once the copy in the folder has expired. */
async function readPublic({ folder, http, onFinding, mirror = publicMirror }: Options) {
  try {
    const { Updater } = await import('tuf-js');
    mkdirSync(folder, { recursive: true });
    const root = join(folder, 'root.json');
    if (!existsSync(root)) {
      writeFileSync(root, await shipped('root.json'));
    }
    const updater = new Updater({
      metadataDir: folder,
      metadataBaseUrl: mirror,
      targetDir: folder,
      targetBaseUrl: `${mirror}/targets`,
      forceCache: true,
      fetcher: await tufFetcher(http, folder),
    });
    const info = await updater.getTargetInfo(target);
    if (!info) {
      throw new Error(`${mirror} has no ${target}`);
    }
    const path = (await updater.findCachedTarget(info)) ?? (await updater.downloadTarget(info));
    return TrustedRoot.fromJSON(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const why = (error as Error).message;
    onFinding(warning('trusted root', `could not be updated from Sigstore's repository (${why})`));
    return undefined;
  }
}

/** Downloads through the client of the run, with its proxies and address guard. */
async function tufFetcher(http: Fetcher, folder: string): Promise<TufFetcher> {
  const { DownloadHTTPError } = await import('tuf-js/dist/error.js');
  const download = async (url: string, maxBytes: number) => {
    try {
      return (await http.fetch({ url, accept: ['*/*'], maxBytes, isKept: false })).body;
    } catch (error) {
      // tuf-js asks for the next root until there is none.
      if (error instanceof HttpError && error.status !== undefined) {
        throw new DownloadHTTPError(error.message, error.status);
      }
      throw error;
    }
  };
  return {
    downloadBytes: download,
    async downloadFile(url, maxBytes, handle) {
      const path = join(folder, 'download');
      writeFileSync(path, await download(url, maxBytes));
      return handle(path).finally(() => rmSync(path));
    },
  };
}

/** The copy in the TUF client. It lacks newer keys. */
export async function shippedTrustedRoot(): Promise<TrustedRoot> {
  return TrustedRoot.fromJSON(JSON.parse((await shipped(target)).toString('utf8')));
}

async function shipped(name: 'root.json' | typeof target): Promise<Buffer> {
  const { default: seeds } = await import('@sigstore/tuf/seeds.json', { with: { type: 'json' } });
  const { targets, ...seed } = seeds[publicMirror];
  return Buffer.from({ ...seed, ...targets }[name], 'base64');
}
