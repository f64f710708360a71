import { execFileSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { checkout } from './checkout.ts';
import { runCli } from './cli.ts';
import { packument, type Listing } from './npm-registry.ts';
import { packageRegistry } from './package-registry.ts';
import { differences, filesIn, readJsonIn, temporaryFolder } from './root.ts';
import { runProgram, type Run } from './run.ts';

/** The tarball that `npm run pack` makes, in a folder that is removed after the tests of the file. */
export function packProgram(): string {
  const options = ['run', '--silent', 'pack', '--', temporaryFolder()];
  return execFileSync('npm', options, { cwd: checkout, encoding: 'utf8' }).trim();
}

export type OwnIndex = Awaited<ReturnType<typeof emptyComputer>>;

/** What the registry tells of three packages that somebody has an index of. */
const listed = {
  eslint: ['9.0.0', '9.1.0', '10.0.0'],
  '@example/agent': ['1.0.0', '1.1.0'],
  '@example/server': ['2025.1.0', '2025.2.0', '2026.1.0'],
};

/**
 * Somebody's computer: an empty folder, a shell, npm, and the registry that npm is configured with. `tarball`: the packed program, which the registry has. `node`: the folder with another Node.
 */
export async function emptyComputer(tarball: string, node?: string) {
  const registry = await packageRegistry(tarball);
  for (const [name, versions] of Object.entries(listed)) {
    registry.packuments.set(name, documentOf(name, versions));
  }
  const folder = temporaryFolder();
  const env = {
    // No test asks the real endoflife.date.
    ENDOFLIFE_DATE_URL: '',
    PATH: [...(node === undefined ? [] : [node]), process.env['PATH']].join(delimiter),
    HOME: temporaryFolder(),
    NO_COLOR: '1',
    CI: '1',
    // Only the first start of each program compiles it.
    NODE_COMPILE_CACHE: temporaryFolder(),
    npm_config_registry: registry.url,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    npm_config_ignore_scripts: 'true',
  };
  return {
    folder,
    registry,
    env,
    /** Runs a line of a shell in the folder, or in another. */
    shell(
      line: string,
      { cwd = folder, env: more = {} }: { cwd?: string; env?: Record<string, string> } = {},
    ): Promise<Run> {
      return runProgram('bash', ['-c', line], { cwd, env: { ...env, ...more } });
    },
  };
}

export const packagesToAdd = Object.keys(listed);

function documentOf(name: string, versions: readonly string[]): object {
  const times = versions.map((version, index) => [
    version,
    { at: `2026-0${index + 1}-01T00:00:00.000Z` },
  ]);
  return packument(name, Object.fromEntries(times) as Listing, {
    description: `What ${name} is for.`,
    homepage: 'https://example.com/',
    repository: { type: 'git', url: 'git+https://github.com/example/it.git' },
    'dist-tags': { latest: versions.at(-1) },
  });
}

/** The files of a site as the checkout builds it, which differ from these. Empty where they are the same byte for byte. */
export async function differencesFromCheckout(root: string): Promise<string[]> {
  const built = join(root, 'dist');
  const { asOf } = readJsonIn<{ asOf: string }>(built, 'status.json');
  const out = join(temporaryFolder(), 'dist');
  const { status, stderr } = await runCli(['build', '--root', root, '--out', out, '--as-of', asOf]);
  if (status !== 0) {
    throw new Error(stderr);
  }
  return differences(filesIn(built), filesIn(out));
}
