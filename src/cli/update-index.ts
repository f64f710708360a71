import { globSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { isObject } from '../core/model/objects.ts';
import {
  inputError,
  isError,
  notice,
  problem,
  throwErrors,
  type Finding,
} from '../core/schemas/finding.ts';
import { quoteForShell } from '../core/text/foreign-text.ts';
import { formatList } from '../core/text/wording.ts';
import { describePath, isAbsent, readIfThere } from '../io/files/file-system.ts';
import { readDocument, unwrapResult } from '../io/files/read-documents.ts';
import { openRoot, type Root } from '../io/files/root.ts';
import { formatDocument, saveIfChanged } from '../io/files/save.ts';
import { nodePackages, programVersion, wranglerVersion } from '../io/program.ts';
import { runNpm } from '../io/run-npm.ts';
import { UsageError, type Invocation, type OptionValues } from './command.ts';
import type { InitOptions } from './new-index.ts';
import { parseOption } from './option-values.ts';
import { copyProgram, createProgramSpec, findPackedProgram } from './packed-program.ts';
import {
  createForgeFiles,
  Forge,
  findForges,
  readStarterInput,
  findTop,
  isOwn,
  type StarterFile,
} from './starter/starter.ts';
import {
  findVersionMismatch,
  locateWritten,
  mergeUpdate,
  saveWritten,
} from './starter/written-files.ts';

/** The absolute paths of the changed files. */
interface Update {
  written: readonly string[];
  removed: readonly string[];
  findings: readonly Finding[];
}

/** Brings an index to this version: the files of the forge, and with a packed program also package.json and the lock file. */
export function updateIndex(invocation: Invocation<InitOptions>, folder: string): number {
  const { env, options, report, day, checkout } = invocation;
  rejectSettings(options);
  const packedProgram = findPackedProgram(options.program);
  checkUpdatable(folder);

  const root = openRoot(folder, checkout);
  const updates = [updateForgeFiles(root, env, parseOption('--ci', options.ci, Forge))];
  // Without a packed program, npm or Renovate has changed the version in the index already.
  if (packedProgram !== undefined) {
    updates.push(updateProgram(folder, packedProgram, env));
  }
  const top = findTop(folder, env);
  const toName = (path: string) => describePath(top, path);
  const files = updates.flatMap(({ written }) => written).map(toName);
  const removed = updates.flatMap((update) => update.removed).map(toName);
  const findings = updates.flatMap((update) => update.findings);
  report.finding(...findings);
  if (files.length + removed.length + findings.length === 0) {
    report.print('Nothing to change: the files match this version.');
  }
  if (files.length > 0) {
    report.print(`Written: ${files.join(', ')}. "git diff" shows the changes.`);
  }
  if (removed.length > 0) {
    report.print(`Removed: ${removed.join(', ')}.`);
  }
  const hasFailed = findings.some(isError);
  const [, programUpdate] = updates;
  if (programUpdate?.written.length && !hasFailed) {
    report.print(...listNextSteps(invocation.arguments[0]));
  }

  report.document({ verb: 'init', asOf: day, folder, files, removed, findings });
  return hasFailed ? 1 : 0;
}

/** Throws a UsageError for options of a new index: an existing one has its settings in its files. */
function rejectSettings(options: OptionValues<InitOptions>): void {
  const updateOptions = ['update', 'ci', 'program', 'json'];
  const others = Object.keys(options).filter((name) => !updateOptions.includes(name));
  if (others.length > 0) {
    const names = others.map((name) => `--${name}`).join(', ');
    throw new UsageError(`--update does not accept ${names}. Edit site/site.json instead`);
  }
}

/** Throws an InputError for a folder without an index, and for an index of a newer program. */
function checkUpdatable(folder: string): void {
  if (isAbsent(join(folder, 'site', 'site.json'))) {
    throw inputError('init', `${folder} holds no index: there is no site/site.json`);
  }

  const mismatch = findVersionMismatch(folder);
  if (mismatch?.isProgramOlder) {
    throw inputError('init', `${mismatch.message}. Nothing was written. Run: ${mismatch.remedy}`);
  }
}

/** Writes the forge files of this version, with the changes that a person made to them, and removes those of a former forge. */
function updateForgeFiles(root: Root, env: NodeJS.ProcessEnv, choice: Forge | undefined): Update {
  const input = readStarterInput(root, env);
  const forges = findForges(input);
  if (choice === undefined && forges.length > 1) {
    const message = `there are files of ${formatList(forges, 3)}. Nothing was written. Choose one with --ci`;
    throw inputError('init', message);
  }

  const forge = choice ?? forges[0] ?? 'github';
  const newFiles = createForgeFiles({ ...input, forge });
  const top = findTop(root.dir, env);
  rejectTaken(newFiles, root.dir, top);
  const written: string[] = [];
  const findings: Finding[] = [];

  for (const file of newFiles) {
    const { path } = file;
    const { content, isConflicting } = mergeUpdate(file, root.dir);
    if (saveIfChanged(path, content)) {
      written.push(path);
    }
    if (isConflicting) {
      const message = 'both changed the same lines. They are marked with <<<<<<<: choose one';
      findings.push(problem(describePath(top, path), message));
    }
  }

  saveWritten(newFiles, root.dir);
  const left = forges
    .filter((former) => former !== forge)
    .flatMap((former) => createForgeFiles({ ...input, forge: former }));
  const { removed, findings: leftFindings } = removeForgeFiles(left, root.dir, top);
  return { written, removed, findings: [...findings, ...leftFindings] };
}

/** Throws an InputError for each forge file whose path has a file of a person. */
function rejectTaken(files: readonly StarterFile[], folder: string, top: string): void {
  const blockedFiles = files.filter(
    ({ path, isShared }) => !isShared && !isAbsent(path) && !isOwn(path, folder),
  );
  const message = 'is not a file of the index. Nothing was written. Move it away';
  throwErrors(blockedFiles.map(({ path }) => problem(describePath(top, path), message)));
}

/** Removes the files of a forge that an index has left. Reports those that a person changed, or another index may use: they stay. */
function removeForgeFiles(
  files: readonly StarterFile[],
  folder: string,
  top: string,
): Pick<Update, 'removed' | 'findings'> {
  const removed: string[] = [];
  const findings: Finding[] = [];

  for (const { path, isShared } of files.filter((file) => !isAbsent(file.path))) {
    const copy = locateWritten(folder, path);
    const name = describePath(top, path);
    if (isShared) {
      findings.push(
        notice(name, 'stays for other indexes of the repository: without any, remove it'),
      );
    } else if (readIfThere(copy)?.equals(readFileSync(path))) {
      rmSync(path);
      rmSync(copy);
      removed.push(path);
    } else {
      findings.push(problem(name, 'is of the former forge, and has changes of yours: remove it'));
    }
  }

  return { removed, findings };
}

/** Installs the packed program. */
function updateProgram(folder: string, packedProgram: string, env: NodeJS.ProcessEnv): Update {
  const target = join(folder, 'program', basename(packedProgram));
  const manifest = join(folder, 'package.json');
  const paths = [target, manifest, join(folder, 'package-lock.json')];
  const before = paths.map(readIfThere);

  copyProgram(packedProgram, folder);
  pinPackages(manifest);
  const options = ['--save-exact', '--no-audit', '--no-fund'];
  const failure = runNpm(['install', ...options, createProgramSpec(packedProgram)], folder, env);

  const written = paths.filter(
    (path, index) => !isDeepStrictEqual(readIfThere(path), before[index]),
  );
  if (failure !== undefined) {
    const message = `npm install: ${failure}. Run the same command again when that is mended`;
    return { written, removed: [], findings: [problem('package.json', message)] };
  }

  return { written, removed: removeOldPrograms(folder, target), findings: [] };
}

/** Removes the packed programs of other versions. Returns their paths. */
function removeOldPrograms(folder: string, target: string): string[] {
  const paths = globSync('program/release-index-*.tgz', { cwd: folder })
    .map((name) => join(folder, name))
    .filter((path) => path !== target);
  paths.forEach((path) => rmSync(path));
  return paths;
}

/** A schema that names keys would move these to the front of the file. */
const Manifest = z.record(z.string(), z.unknown());
const sections = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** Pins wrangler and Node to the versions of this program, where the index has them. */
function pinPackages(path: string): void {
  if (isAbsent(path)) {
    return;
  }

  const manifest = unwrapResult(readDocument(path, 'package.json', Manifest));
  const versions = Object.entries({ wrangler: wranglerVersion, ...nodePackages });
  let isChanged = false;

  for (const packages of sections.map((section) => manifest[section]).filter(isObject)) {
    for (const [name, version] of versions) {
      if (Object.hasOwn(packages, name) && packages[name] !== version) {
        packages[name] = version;
        isChanged = true;
      }
    }
  }

  if (isChanged) {
    saveIfChanged(path, formatDocument(manifest));
  }
}

/** The steps of a person after the program changed. `folder`: as named on the command line. */
function listNextSteps(folder: string | undefined): string[] {
  const message = `Update release-index to ${programVersion}`;
  const steps = [
    'npx release-index build && npx release-index check',
    `git add --all && git commit --message '${message}' && git push`,
  ];
  if (folder !== undefined) {
    steps.unshift(`cd ${quoteForShell(folder)}`);
  }
  return ['', 'Next:', ...steps.map((step) => `  ${step}`)];
}
