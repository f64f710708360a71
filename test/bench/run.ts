/**
 * What a build of 403 components with 99,000 versions costs, beside writing the same bytes: `npm run bench`. Each is a process of
 * its own, one after the other. Real versions, with a term of 18 months for every fourth component.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { build } from '../../src/cli/build.ts';
import { createReport } from '../../src/cli/report.ts';
import { listFiles, sha256 } from '../../src/core/files.ts';
import { parseVersion } from '../../src/core/version.ts';

const corpus = resolve(import.meta.dirname, '../fixtures/corpus/releases.json.gz');
const day = '2026-08-22';
/** Times of the bytes' own cost, bytes on disk, and bytes of memory. */
const limits = { times: 10, disk: 60e6, memory: 500e6 };

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

/** The bytes of a built site, with a digest of each file. */
function copy(from: string, to: string): void {
  for (const { path } of listFiles(from)) {
    const bytes = readFileSync(join(from, path));
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), bytes);
    sha256(bytes);
  }
}

interface Cost {
  /** Processor time in seconds. */
  cpu: number;
  /** The most memory, in bytes. */
  memory: number;
}

function measure(step: string, from: string, to: string): Cost {
  const args = [import.meta.filename, step, from, to];
  const output = execFileSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(output) as Cost;
}

const [step, from = '', to = ''] = process.argv.slice(2);
if (step === undefined) {
  const root = mkdtempSync(join(tmpdir(), 'release-index-bench-'));
  try {
    const out = join(root, 'dist');
    writeIndex(root);
    const built = measure('build', root, out);
    const copied = measure('copy', out, join(root, 'copy'));

    const files = listFiles(out).map(({ path }) => readFileSync(join(out, path)).length);
    const disk = files.reduce((sum, size) => sum + size, 0);
    const times = built.cpu / copied.cpu;
    const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
    console.table([
      { cost: 'CPU of the build', is: `${built.cpu.toFixed(1)} s` },
      { cost: 'CPU of its bytes', is: `${copied.cpu.toFixed(1)} s` },
      { cost: 'times', is: times.toFixed(1), limit: limits.times },
      { cost: `disk, ${files.length} files`, is: megabytes(disk), limit: megabytes(limits.disk) },
      { cost: 'memory', is: megabytes(built.memory), limit: megabytes(limits.memory) },
    ]);
    process.exitCode = Number(
      times > limits.times || disk > limits.disk || built.memory > limits.memory,
    );
  } finally {
    rmSync(root, { recursive: true });
  }
} else {
  if (step === 'build') {
    build({ root: from, out: to, day, report: createReport(process, () => true) });
  } else {
    copy(from, to);
  }
  const { user, system } = process.cpuUsage();
  const memory = process.resourceUsage().maxRSS * 1024;
  console.log(JSON.stringify({ cpu: (user + system) / 1e6, memory } satisfies Cost));
}
