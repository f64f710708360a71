import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openIndex } from '../../ask/published-index.ts';
import { documentsIn } from '../../deliver/publish/index-documents.ts';
import { buildSite } from '../../site/build-site.ts';
import { cacheFolder } from '../../io/files/cache.ts';
import { InputError, type Invocation } from './command.ts';
import type { OpenedIndex } from './published-site.ts';

/** The index in the folder of a built site. */
export function openFolder(folder: string): OpenedIndex {
  return { index: openIndex(documentsIn(folder)), close: () => Promise.resolve() };
}

/** Builds the site of the checkout, so that it gives the answers of the published one. `user`: the verb that asks. */
export function openCheckout({ root, baseUrl, report }: Invocation, day: string, user: string): OpenedIndex {
  const parent = join(cacheFolder(root), user);
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'run-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const built = buildSite({
      root,
      day,
      out: join(folder, 'dist'),
      ...(baseUrl !== undefined && { baseUrl }),
    });
    if (!('components' in built)) throw new InputError(built.findings);
    for (const finding of built.findings) report.finding(finding);
  } catch (error) {
    remove();
    throw error;
  }
  const { index } = openFolder(join(folder, 'dist'));
  return { index, close: () => Promise.resolve(remove()) };
}
