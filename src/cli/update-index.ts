import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import semver from 'semver';
import * as z from 'zod';
import { inputError, problem, type Finding } from '../core/schemas/finding.ts';
import {
  formatDocument,
  isAbsent,
  makeFolder,
  readIfThere,
  saveIfChanged,
} from '../io/files/file-system.ts';
import { readDocument, requireValue } from '../io/files/read-documents.ts';
import { openRoot, type Root } from '../io/files/root.ts';
import { readNodePackages, readProgramVersion, readWranglerVersion } from '../io/program.ts';
import { parseOption, type Invocation } from './command.ts';
import {
  copyProgram,
  findPackedProgram,
  createProgramSpec,
  type InitOptions,
} from './new-index.ts';
import {
  createCurrentFiles,
  Forge,
  findForge,
  readIndex,
  findRepository,
  type StarterFile,
} from './starter.ts';

interface Update {
  /** Paths of written files, absolute. */
  written: readonly string[];
  removed?: readonly string[];
  findings: readonly Finding[];
}

/** Brings an index to this version: the files of the forge, and with a packed program also package.json and the lock file. */
export function updateIndex(invocation: Invocation<InitOptions>, folder: string): number {
  const { env, options, report, day, checkout } = invocation;
  const program = findPackedProgram(options);
  checkUpdatable(folder);

  const root = openRoot(folder, checkout);
  const forgeUpdate = updateForgeFiles(root, env, parseOption('--ci', options.ci, Forge));
  const programUpdate = updateProgram(folder, program, env);
  const findings = [...forgeUpdate.findings, ...programUpdate.findings];
  const top = findRepository(folder, env) ?? folder;
  const toName = (path: string) => relative(top, path).replaceAll(sep, '/');
  const files = [...forgeUpdate.written, ...programUpdate.written].map(toName);
  const removed = programUpdate.removed?.map(toName) ?? [];
  report.finding(...findings);
  report.print(
    files.length === 0
      ? 'Nothing to change: the files match this version.'
      : `Written: ${files.join(', ')}. "git diff" shows the changes.`,
  );

  if (removed.length > 0) {
    report.print(`Removed: ${removed.join(', ')}.`);
  }
  if (programUpdate.written.length > 0) {
    report.print(...listStepsAfter(invocation.arguments[0]));
  }

  report.document({ verb: 'init', asOf: day, folder, files, removed, findings });
  return findings.length > 0 ? 1 : 0;
}

/** Throws an InputError for a folder without an index, and for an index of a newer program. */
function checkUpdatable(folder: string): void {
  if (isAbsent(join(folder, 'site', 'site.json'))) {
    throw inputError('init', `${folder} holds no index: there is no site/site.json`);
  }

  const versions = findTwoVersions(folder);
  if (versions?.isProgramOlder) {
    throw inputError('init', `${versions.message}. Nothing was written. Run: ${versions.remedy}`);
  }
}

function updateForgeFiles(root: Root, env: NodeJS.ProcessEnv, forge: Forge | undefined): Update {
  const input = readIndex(root, env);
  const newFiles = createCurrentFiles({ ...input, forge: forge ?? findForge(input) ?? 'github' });
  const top = findRepository(root.dir, env) ?? root.dir;
  const files = newFiles
    .map((file) => mergeUpdate(file, root.dir))
    .filter(({ path, content }) => saveIfChanged(path, content));
  saveWritten(newFiles, root.dir);

  const message = 'both changed the same lines. They are marked with <<<<<<<: choose one';
  const findings = files
    .filter(({ isConflicting }) => isConflicting)
    .map(({ path }) => problem(relative(top, path).replaceAll(sep, '/'), message));
  return { written: files.map(({ path }) => path), findings };
}

/** Without a packed file, npm or Renovate has changed the version in the index already. */
function updateProgram(
  folder: string,
  program: string | undefined,
  env: NodeJS.ProcessEnv,
): Update {
  const unchanged: Update = { written: [], findings: [] };
  if (program === undefined) {
    return unchanged;
  }

  const manifest = join(folder, 'package.json');
  const lock = join(folder, 'package-lock.json');
  const target = join(folder, 'program', basename(program));
  const isCopied = copyProgram(program, folder);
  const isPinned = pinPackages(manifest);
  if (!isCopied && !isPinned && readLockedVersion(lock) === readProgramVersion()) {
    return unchanged;
  }

  const failure = installProgram(folder, createProgramSpec(program), env);
  if (failure !== undefined) {
    const message = `npm install: ${failure}. Run the same command again when that is mended`;
    return { written: [target, manifest], findings: [problem('package.json', message)] };
  }

  const oldPaths = globSync('program/release-index-*.tgz', { cwd: folder })
    .map((name) => join(folder, name))
    .filter((path) => path !== target);
  for (const path of oldPaths) {
    rmSync(path);
  }
  return { written: [target, manifest, lock], removed: oldPaths, findings: [] };
}

const Dependencies = z.record(z.string(), z.string()).optional();
const Manifest = z.looseObject({
  dependencies: Dependencies,
  devDependencies: Dependencies,
  optionalDependencies: Dependencies,
});

/** Pins wrangler and Node to the versions of this program, where the index has them. Returns whether a version changed. */
function pinPackages(path: string): boolean {
  if (isAbsent(path)) {
    return false;
  }

  const manifest = requireValue(readDocument(path, 'package.json', Manifest));
  const versions: Record<string, string> = {
    wrangler: readWranglerVersion(),
    ...readNodePackages(),
  };
  let isChanged = false;

  for (const section of ['dependencies', 'devDependencies', 'optionalDependencies'] as const) {
    const packages = manifest[section] ?? {};
    for (const [name, version] of Object.entries(packages)) {
      if (versions[name] !== undefined && versions[name] !== version) {
        packages[name] = versions[name];
        isChanged = true;
      }
    }
  }

  return isChanged && saveIfChanged(path, formatDocument(manifest));
}

const Lock = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional() })).optional(),
});

function readLockedVersion(path: string): string | undefined {
  if (isAbsent(path)) {
    return undefined;
  }

  const { packages } = requireValue(readDocument(path, 'package-lock.json', Lock));
  return packages?.['node_modules/release-index']?.version;
}

/** Runs npm, also for the lock file. Returns why it failed. */
function installProgram(folder: string, spec: string, env: NodeJS.ProcessEnv): string | undefined {
  const options = ['--save-exact', '--no-audit', '--no-fund', '--loglevel=error'];
  // npm names itself to its scripts. On Windows, a process cannot start "npm" without a shell.
  const npm = env['npm_execpath'];
  const isScript = npm?.endsWith('.js') === true && existsSync(npm);
  const start = isScript ? [process.execPath, npm] : ['npm'];
  const [command = '', ...args] = [...start, 'install', ...options, spec];
  const run = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' });
  if (run.status === 0) {
    return undefined;
  }

  const [line] = (run.stderr ?? run.error?.message ?? '').split('\n').filter(Boolean);
  return line ?? `it ended with ${run.status}`;
}

function listStepsAfter(folder: string | undefined): string[] {
  const message = `Update release-index to ${readProgramVersion()}`;
  const steps = [
    'npx release-index build && npx release-index check',
    `git add --all && git commit --message '${message}' && git push`,
  ];
  if (folder !== undefined) {
    steps.unshift(`cd ${folder}`);
  }
  return ['', 'Next:', ...steps.map((step) => `  ${step}`)];
}

/** A copy of a forge file as last written. "init --update" finds your changes by it. */
function locateWritten(folder: string, { path }: Pick<StarterFile, 'path'>): string {
  return join(folder, '.release-index', basename(path));
}

/** Records the forge files as this version writes them, and the version. */
export function saveWritten(files: readonly StarterFile[], folder: string): void {
  for (const file of files.filter(({ isOfForge }) => isOfForge)) {
    const path = locateWritten(folder, file);
    makeFolder(dirname(path));
    saveIfChanged(path, file.content);
  }

  saveIfChanged(locateVersion(folder), `${readProgramVersion()}\n`);
}

function locateVersion(folder: string): string {
  return join(folder, '.release-index', 'version');
}

/** Compares the program with the version that wrote the workflows. Undefined where they are the same. */
export function findTwoVersions(folder: string) {
  const program = readProgramVersion();
  const writer = readIfThere(locateVersion(folder))?.toString().trim();
  if (writer === undefined || !semver.valid(writer) || writer === program) {
    return undefined;
  }

  const isProgramOlder = semver.lt(program, writer);
  const upgrade = `npm run init -- ${folder} --update, in a checkout of ${writer}`;
  return {
    message: `the workflows are of release-index ${writer}, and the program is ${program}`,
    remedy: isProgramOlder ? upgrade : 'npx release-index init --update',
    isProgramOlder,
  };
}

/** A forge file merged from the changes of this version and of a person since it was last written. */
export function mergeUpdate(
  file: StarterFile,
  folder: string,
): StarterFile & { isConflicting: boolean } {
  const before = locateWritten(folder, file);
  if (isAbsent(before) || isAbsent(file.path)) {
    return { ...file, isConflicting: false };
  }

  const dir = mkdtempSync(join(tmpdir(), 'release-index-merge-'));

  try {
    const newPath = join(dir, 'this version');
    writeFileSync(newPath, file.content);

    const args = ['merge-file', '-p', '-L', 'yours', '-L', 'before', '-L', 'this version'];
    const merge = spawnSync('git', [...args, file.path, before, newPath], { encoding: 'utf8' });

    // The status is the number of conflicts.
    if (merge.status === null || merge.status > 127) {
      throw merge.error ?? new Error(merge.stderr);
    }

    return { ...file, content: merge.stdout, isConflicting: merge.status > 0 };
  } finally {
    rmSync(dir, { recursive: true });
  }
}
