import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './checkout.ts';

const documents = join(checkout, '.github');

/** The pages of the contract, by their paths in `.github`. */
export const contractPages: ReadonlyMap<string, string> = new Map(
  ['CONTRACT.md', ...globSync('contract/*.md', { cwd: documents }).sort()].map((path) => [
    path,
    readFileSync(join(documents, path), 'utf8'),
  ]),
);

export const contract = [...contractPages.values()].join('\n');
