/**
 * What a build of 403 components with 99,000 versions costs, beside a bare program that reads the same data and writes the same bytes:
 * `npm run bench`. Each is a process of its own, the least of three. Real versions, with a term of 18 months for every fourth component.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { listFiles } from '../../src/core/files.ts';
import { parseVersion } from '../../src/core/version.ts';
import manifest from '../../package.json' with { type: 'json' };

const corpus = resolve(import.meta.dirname, '../fixtures/corpus/releases.json.gz');
const checkout = resolve(import.meta.dirname, '../..');
const day = '2026-08-22';
/** What we aim at: times of the bare program, bytes on disk, and bytes of memory. */
const aims = { times: 8, disk: 95e6, memory: 450e6 };

function write(path: string, document: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(document));
}

function writeIndex(root: string): void {
  const products = JSON.parse(gunzipSync(readFileSync(corpus)).toString()) as Record<
    string,
    Record<string, string>
  >;
  write(join(root, 'site/site.json'), {
    title: 'Products',
    description: 'Releases of many products.',
    datasource: 'products',
    releasesUrl: 'https://releases.example.com',
    repositoryUrl: 'https://example.com/repository',
    staleAfterDays: 3,
  });
  for (const [place, [product, versions]] of Object.entries(products).entries()) {
    const name = `p-${product.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
    const homepage = `https://example.com/${name}`;
    write(join(root, `components/${name}.json`), {
      title: product,
      homepage,
      changelogUrl: homepage,
      sources: [{ datasource: 'npm', packageName: name }],
      ...(place % 4 === 0 && { support: { policy: 'term', months: 18 } }),
    });
    const readable = Object.entries(versions).filter(([version]) => parseVersion(version));
    const releases = readable.map(([version, released]) => ({
      version,
      releaseTimestamp: `${released}T00:00:00Z`,
      timestampKind: 'published',
      sources: [`npm:${name}`],
    }));
    write(join(root, `data/${name}.json`), { releases });
  }
}

interface Cost {
  /** Processor time in seconds. */
  cpu: number;
  /** The most memory, in bytes. */
  memory: number;
}

/** `program`: a module, with its arguments. */
function measure(...program: string[]): Cost {
  const args = ['--import', join(import.meta.dirname, 'cost.mjs'), ...program];
  const { stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: checkout });
  if (status !== 0) {
    throw new Error(stderr);
  }

  return JSON.parse(stderr.trim().split('\n').at(-1)!) as Cost;
}

const root = mkdtempSync(join(tmpdir(), 'release-index-bench-'));
try {
  const out = join(root, 'dist');
  writeIndex(root);
  // As `npm run build` runs it. The first time, Node keeps what it compiles.
  const [, ...command] = manifest.scripts.build.split(' ');
  const args = [...command, '--root', root, '--out', out, '--as-of', day];
  const costs = [0, 1, 2, 3].map(() => measure(...args)).slice(1);
  const built = costs.reduce((a, b) => (b.cpu < a.cpu ? b : a));
  const bare = join(import.meta.dirname, 'bare.mjs');
  const copies = [0, 1, 2].map(() => measure(bare, join(root, 'data'), out, join(root, 'copy')));
  const copied = copies.reduce((a, b) => (b.cpu < a.cpu ? b : a));

  const files = listFiles(out).map(({ path }) => readFileSync(join(out, path)).length);
  const disk = files.reduce((sum, size) => sum + size, 0);
  const times = built.cpu / copied.cpu;
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  console.table([
    { cost: 'CPU of the build', is: `${built.cpu.toFixed(1)} s` },
    { cost: 'CPU of the bare program', is: `${copied.cpu.toFixed(1)} s` },
    { cost: 'times', is: times.toFixed(1), aim: aims.times },
    { cost: `disk, ${files.length} files`, is: megabytes(disk), aim: megabytes(aims.disk) },
    { cost: 'memory', is: megabytes(built.memory), aim: megabytes(aims.memory) },
  ]);
} finally {
  rmSync(root, { recursive: true });
}
