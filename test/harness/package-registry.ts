import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { checkout } from './checkout.ts';
import { readJsonIn, temporaryFolder, writeIn } from './root.ts';
import { startUpstream } from './upstream.ts';

interface Manifest {
  name: string;
  version: string;
}

/**
 * A registry on loopback from which npm installs the program and everything it needs: the packed program, if there is one, and
 * the packages that the checkout has installed, by its package-lock.json.
 */
export async function packageRegistry(tarball?: string) {
  const packuments = new Map<string, object>();
  const folders = new Map<string, string>();
  const installable = new Map<string, Manifest[]>();
  const offer = (manifest: Manifest, from: string) => {
    folders.set(`${manifest.name}@${manifest.version}`, from);
    installable.set(manifest.name, [...(installable.get(manifest.name) ?? []), manifest]);
  };
  const { packages } = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Manifest>;
  };
  // From the outermost in: the first of a name is what the checkout itself uses.
  const paths = Object.keys(packages).sort((a, b) => a.length - b.length);
  for (const path of paths.filter((name) => name !== '')) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (folders.has(`${name}@${packages[path]!.version}`)) {
      continue;
    }
    const { integrity: _ofAnotherTarball, ...manifest } = packages[path] as Manifest & {
      integrity?: string;
    };
    offer({ ...manifest, name }, join(checkout, path));
  }

  if (tarball !== undefined) {
    // As the registry of npm says of a package with a lock of its own.
    const manifest = { ...(await packedManifest(tarball)), _hasShrinkwrap: true };
    offer(manifest, withoutIntegrity(tarball));
  }

  const { url, close } = await startUpstream((url) => (request, response) => {
    const path = decodeURIComponent(request.url!.slice(1));
    const from = folders.get(path.replace(/^-\//, ''));
    if (path.startsWith('-/')) {
      void sendTarball(response, from);
    } else {
      send(response, packuments.get(path) ?? packumentOf(installable.get(path), url));
    }
  });
  /** `packuments`: what else it tells of packages, which cannot be installed; a test may change it. */
  return { url, packuments, close };
}

/** The packages of this registry are packed anew, so that their digests are others than those of the lock. */
function withoutIntegrity(tarball: string): string {
  const folder = temporaryFolder();
  execFileSync('tar', ['-xzf', tarball, '-C', folder]);
  const path = 'package/npm-shrinkwrap.json';
  const lock = readJsonIn<{ packages: Record<string, object> }>(folder, path);
  for (const entry of Object.values(lock.packages)) {
    Object.assign(entry, { integrity: undefined, resolved: undefined });
  }
  writeIn(folder, path, lock);
  const repacked = join(folder, 'repacked.tgz');
  execFileSync('tar', ['-czf', repacked, '-C', folder, 'package']);
  return repacked;
}

async function packedManifest(tarball: string): Promise<Manifest> {
  const tar = spawn('tar', ['-xzOf', tarball, 'package/package.json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(tar.stdout)) as Manifest;
}

function packumentOf(manifests: readonly Manifest[] | undefined, url: string): object | undefined {
  if (!manifests) {
    return undefined;
  }
  const versions = manifests.map((manifest) => {
    const tarball = `${url}-/${encodeURIComponent(`${manifest.name}@${manifest.version}`)}`;
    return [manifest.version, { ...manifest, dist: { tarball } }] as const;
  });
  return {
    name: manifests[0]!.name,
    'dist-tags': { latest: manifests[0]!.version },
    versions: Object.fromEntries(versions),
  };
}

function send(response: ServerResponse, document: object | undefined): void {
  response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(document ?? { error: 'not found' }));
}

/** A folder becomes one as it is asked for. What is for other systems is not installed here, and npm does without it. */
async function sendTarball(response: ServerResponse, from: string | undefined): Promise<void> {
  if (from === undefined || !existsSync(from)) {
    return send(response, undefined);
  }
  // npm keeps it, as it does from the registry of npm: what was installed once is not packed again.
  const cacheControl = 'public, immutable, max-age=31557600';
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'cache-control': cacheControl,
  });
  if (from.endsWith('.tgz')) {
    return void response.end(readFileSync(from));
  }
  const options = ['--exclude=./node_modules', '--transform=s,^[.],package,', '--hard-dereference'];
  const tar = spawn('tar', ['-c', ...options, '-C', from, '.'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  tar.stdout.pipe(response);
}
