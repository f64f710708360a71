import { randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkout } from '../harness/checkout.ts';
import { runCli } from '../harness/cli.ts';
import { npmRegistry, silence, type Answer, type NpmRegistry } from '../harness/npm-registry.ts';
import { definition, makeRoot, pathsIn, readJsonIn } from '../harness/root.ts';

const day = ['--as-of', '2026-06-01'];
const MB = 1024 * 1024;

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `c${String(index).padStart(3, '0')}`);
}

/** A package with a text of so many bytes that can hardly be packed, another for each. */
function bulky(size: number, noise = randomBytes(size).toString('base64')): Answer {
  return (request, response) => {
    const name = request.url!.slice(1);
    const readme = `${name} ${noise}`.slice(0, size);
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ name, versions: { '1.0.0': {} }, time: {}, readme }));
  };
}

/** Every package is that of as many components, which are gathered one after the other. */
function makeIndex(registry: NpmRegistry, packages: readonly string[], componentsOfEach = 1): string {
  const files = packages.flatMap((packageName) =>
    Array.from({ length: componentsOfEach }, (_, index) => [
      `components/${['a', 'b', 'c'][index]}-${packageName}.json`,
      definition({ sources: [{ datasource: 'npm', packageName, registryUrl: registry.url }] }),
    ]),
  );
  return makeRoot(Object.fromEntries(files));
}

async function registryOf(packages: readonly string[], answer: Answer): Promise<NpmRegistry> {
  return npmRegistry(Object.fromEntries(packages.map((name) => [name, answer])));
}

/** The most memory that a run took, in megabytes. */
async function peakOf(root: string): Promise<number> {
  const usage = join(root, 'usage.json');
  const run = await runCli(['gather', '--root', root, ...day], {
    env: {
      // The young objects of this size are few, so that the numbers tell of what is kept.
      NODE_OPTIONS: `--max-semi-space-size=4 --import=${join(checkout, 'test/bench/usage.mjs')}`,
      BENCH_USAGE: usage,
    },
  });
  expect(run.status, run.stderr).toBe(0);
  return readJsonIn<{ peakMB: number }>(root, 'usage.json').peakMB;
}

test('the memory of a run does not grow with the documents it asks for', async () => {
  const noise = randomBytes(MB).toString('base64');
  const [few, many] = [names(60), names(300)];
  const registry = await registryOf(many, bulky(MB, noise));

  const peaks = [await peakOf(makeIndex(registry, few)), await peakOf(makeIndex(registry, many))];

  // Packed, the 240 documents more would still take 180 MB.
  expect(peaks[1]! - peaks[0]!).toBeLessThan(110);
}, 60_000);

test('a run leaves nothing of what it put aside', async () => {
  const packages = names(5);
  const registry = await registryOf(packages, bulky(20_000));
  const root = makeIndex(registry, packages);

  await runCli(['gather', '--root', root, ...day]);

  expect(pathsIn(join(root, '.cache/http'))).toEqual([]);
});

const isLinux = process.platform === 'linux';
if (!isLinux) console.log('Not tested here: runs that are killed or short of disk. Done by means of Linux.');

test.runIf(isLinux)('a run that is killed leaves nothing of what it put aside', async () => {
  const packages = names(40);
  const registry = await registryOf(packages, bulky(20_000));
  registry.packages.set(packages.at(-1)!, silence);
  const root = makeIndex(registry, packages);
  let opened: string[] = [];

  const run = await runCli(['gather', '--root', root, ...day], {
    onStderr(_text, child) {
      if (opened.length > 0) return;
      opened = putAsideBy(child.pid!);
      if (opened.length > 0) child.kill('SIGKILL');
    },
  });

  expect(run.signal).toBe('SIGKILL');
  expect(opened).toEqual([expect.stringMatching(/\/\.cache\/http\/put-aside-[\da-f-]{36} \(deleted\)$/)]);
  expect(pathsIn(join(root, '.cache/http'))).toEqual([]);
});

/** What a process has open of what it put aside. */
function putAsideBy(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder)
    .map((fd) => {
      try {
        return readlinkSync(join(folder, fd));
      } catch {
        return '';
      }
    })
    .filter((file) => file.includes('put-aside'));
}

test.runIf(isLinux)('a disk that takes no more changes nothing but the memory that a run takes', async () => {
  const packages = names(12);
  const noise = randomBytes(20_000).toString('base64');
  const gatherThrough = async (through: string[]) => {
    const registry = await registryOf(packages, bulky(20_000, noise));
    const root = makeIndex(registry, packages, 3);
    const run = await runCli(['gather', '--root', root, ...day], {
      through,
      // Told of a file that grows too long, a process ends, unless it listens; then what it writes is refused.
      env: {
        NODE_OPTIONS: `--import=data:text/javascript,process.on('SIGXFSZ',()=>{})`,
        NODE_DISABLE_COMPILE_CACHE: '1',
      },
    });
    const findings = run.stderr.split('\n').filter((line) => !line.startsWith('gather '));
    const files = pathsIn(join(root, 'data'));
    return { status: run.status, stdout: run.stdout, findings, files, asked: registry.requests.length };
  };

  // No file may be longer than 32 KiB: of twelve documents, the file for what is put aside takes two.
  const limited = await gatherThrough(['sh', '-c', 'ulimit -f 64; exec "$@"', 'sh']);

  expect(limited).toEqual(await gatherThrough([]));
  expect(limited).toMatchObject({ status: 0, findings: [''], asked: 12 });
  expect(limited.files).toHaveLength(72);
});
