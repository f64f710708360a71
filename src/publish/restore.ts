/** The published site is the second copy of `data/`. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { Definition } from '../core/schema/definition.ts';
import { inputError } from '../core/errors.ts';
import { saveFile, sha256 } from '../core/files.ts';
import { readRequired, type SiteReader } from '../core/index/site-reader.ts';
import {
  dataPathForm,
  decisionsPath,
  heldPath,
  readDataFiles,
  readWhole,
} from '../record/data-files.ts';
import { checkText, openData } from '../record/files.ts';
import { followRenames, growing } from './history.ts';
import { readDigests } from './verify.ts';

interface Restoration {
  root: string;
  site: SiteReader;
  /** An address or a folder. */
  from: string;
  /** Where the index has one, it must have signed the list of digests. */
  publicKey: string | undefined;
  definitions: ReadonlyMap<string, Definition>;
}

/**
 * Brings back `data/` as a site has published it: all of it, or throws an `InputError` and changes nothing. Files that the site does not
 * have stay, but what waits: nothing waited there.
 */
export async function restore({ root, site, from, publicKey, definitions }: Restoration) {
  const digests = await readDigests(site, publicKey, 'Nothing was changed');
  const published = [...digests].filter(([path]) => path.startsWith('data/'));
  if (published.length === 0) {
    throw inputError(from, 'has no data/: an earlier program built it. Nothing was changed');
  }

  const files = await readFiles(site, published, followRenames(definitions));
  files.forEach((bytes, path) => checkText(path, bytes.toString()));
  const parting = findParting(root, files);
  if (parting !== undefined) {
    throw inputError(
      parting,
      `has other lines than ${from} has published, which would be lost. Nothing was changed. If they are wrong, remove data/ first: git rm -r --quiet --force data`,
    );
  }

  // A person may have decided since.
  const ownDecisions = readWhole(root, decisionsPath);
  const decisions = files.get(decisionsPath);
  if (decisions && ownDecisions.subarray(0, decisions.length).equals(decisions)) {
    files.delete(decisionsPath);
  }
  // A restoration that was stopped goes on here: each journal is the published one, or its beginning.
  const changed = [...files].filter(([path, bytes]) => saveFile(join(root, path), bytes));
  if (!files.has(heldPath)) {
    rmSync(join(root, heldPath), { force: true });
  }
  const lastRun = openData(root).readRuns().at(-1);
  return { files: published.length, changed: changed.length, asOf: lastRun?.asOf };
}

const readsAtOnce = 8;

/** The files of `data/` as the list of digests has them, by their paths in this checkout. */
async function readFiles(
  site: SiteReader,
  published: readonly (readonly [path: string, digest: string])[],
  findOwnPath: ReturnType<typeof followRenames>,
): Promise<Map<string, Buffer>> {
  const read = await pLimit(readsAtOnce).map(published, async ([path, digest]) => {
    if (!dataPathForm.test(path)) {
      throw inputError(path, 'is no file of data/ that this program knows. Nothing was changed');
    }

    const bytes = await readRequired(site, path, 'Nothing was changed');
    if (sha256(bytes) !== digest) {
      throw inputError(
        path,
        'has not the digest of SHA256SUMS, maybe as the site was published meanwhile. Nothing was changed. Run this again',
      );
    }
    return [findOwnPath(path), bytes] as const;
  });
  return new Map(read);
}

/** The first journal, or file of runs, of a checkout that does not go on in the published one. */
function findParting(root: string, published: ReadonlyMap<string, Buffer>): string | undefined {
  for (const [name, recorded] of readDataFiles(root)) {
    const whole = published.get(name) ?? Buffer.alloc(0);
    if (growing.test(name) && !whole.subarray(0, recorded.length).equals(recorded)) {
      return name;
    }
  }
  return undefined;
}
