import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { findHost } from '../../core/schemas/definition/site-config.ts';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import { formatList } from '../../core/text/wording.ts';
import { expectFileError, resolveLinks, sha256 } from '../../io/files/file-system.ts';
import { maxSavingMs, removeLeftovers, saveIfChanged } from '../../io/files/save.ts';
import { digestsFile, listSignedPaths, signatureFile } from '../../site/digests.ts';
import { publishedPaths } from '../../site/render/paths.ts';
import { readLive } from './live.ts';
import { checkSite, prepareSite, type PreparedSite } from './prepare-site.ts';
import type { Publication, PublishInput } from './publication.ts';

/**
 * Copies the site into the folder of a file server. Without a folder, only compares it with the live site: a workflow deploys to
 * GitHub Pages later. For other hosts, a missing folder is a problem.
 */
export async function copySite(input: PublishInput, to: string | undefined): Promise<Publication> {
  const { config, baseUrl, out } = input;
  if (to !== undefined) {
    const message = findFolderProblem(to, out);
    if (message !== undefined) {
      return { kind: 'refused', findings: [problem(to, message)] };
    }
  }

  const missing: Finding[] = [];
  if (to === undefined && findHost(config) !== 'pages') {
    const message = 'names no folder: "hosting": {"folder": "/srv/releases"}, or --to';
    missing.push(problem('site/site.json', message));
  }

  const checked = await checkSite(input, { missing, findings: [] });
  if (checked.kind !== 'checked') {
    return checked;
  }

  const live = await readLive({ ...input, to }, checked.site.digests);
  const planParts = { baseUrl: to ?? baseUrl, worker: '' };
  const prepared = prepareSite(input, checked, { live, findings: [] }, planParts);
  if (prepared.kind !== 'prepared') {
    return prepared;
  }

  const { plan, findings } = prepared;
  return to === undefined ? { kind: 'ready', plan, findings } : replaceFolder(out, to, prepared);
}

/**
 * Copies new and changed files, removes old ones, and reads all back. The list of digests is replaced last: until then, the next
 * publication finds in the old one what is still to be removed. A first copy begins with an empty list, so that the next one
 * finishes it if it breaks off.
 */
function replaceFolder(
  out: string,
  to: string,
  { plan, digests, findings, live }: PreparedSite,
): Publication {
  const fail = (reason: string): Publication => {
    const message = `${reason}. Each file there is whole, the old one or the new one; publish again`;
    return { kind: 'failed', plan, findings: [...findings, problem(to, message)] };
  };

  try {
    if (live.kind === 'nothing') {
      saveIfChanged(join(to, digestsFile), '');
    }

    const { contents, lists } = sortPaths(digests.keys());
    copyFiles(out, to, contents);

    // SHA256SUMS does not list signed files, so an earlier site may have left some, also of components that are gone.
    const signedPaths = listSignedPaths([...digests.keys(), ...plan.gone]);
    for (const path of [...plan.gone, ...signedPaths]) {
      if (!digests.has(path)) {
        rmSync(join(to, path), { force: true });
      }
    }

    copyFiles(out, to, lists);

    const wrongPaths = [...digests.keys()].filter(
      (path) => sha256(readFileSync(join(to, path))) !== digests.get(path),
    );
    if (wrongPaths.length > 0) {
      return fail(`differs after it was copied: ${formatList(wrongPaths, 3)}`);
    }

    return { kind: 'published', plan, findings, verifiedFiles: digests.size };
  } catch (error) {
    return fail(expectFileError(error));
  }
}

/** Why the site in `out` cannot go into a folder, if so. A folder of other files may be a mistyped name. */
export function findFolderProblem(to: string, out: string): string | undefined {
  // The next build would replace what readers have, or find files that it did not make.
  const [target, builds] = [to, out].map(resolveLinks);
  if (`${target}${sep}`.startsWith(`${builds}${sep}`)) {
    return `is in the folder of builds, ${out}. Nothing was sent`;
  }

  const stats = statSync(to, { throwIfNoEntry: false });
  if (stats && !stats.isDirectory()) {
    return 'is not a folder. Nothing was sent';
  }
  if (stats && readdirSync(to).length > 0 && !existsSync(join(to, digestsFile))) {
    return 'holds other files, not the site of an index. Nothing was sent. Move them away for the first publication, or name an empty folder';
  }

  return undefined;
}

/** `contents`: documents about the whole index come after the files that they name. `lists`: the digests and their signature. */
function sortPaths(paths: Iterable<string>) {
  const contents = new Set(paths);
  const lists = [digestsFile, signatureFile].filter((path) => contents.delete(path));
  for (const { path } of publishedPaths) {
    if (!path.includes('/') && contents.delete(path)) {
      contents.add(path);
    }
  }
  return { contents: [...contents], lists };
}

/** Replaces each file atomically, and removes what ended runs left of them. */
function copyFiles(out: string, to: string, paths: readonly string[]): void {
  for (const path of paths) {
    saveIfChanged(join(to, path), readFileSync(join(out, path)));
  }

  for (const folder of new Set(paths.map((path) => dirname(join(to, path))))) {
    removeLeftovers(folder, maxSavingMs);
  }
}
