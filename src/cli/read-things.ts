import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { problem } from '../core/schemas/finding.ts';
import { readBillOfMaterials } from '../ask/scan/bill-of-materials.ts';
import {
  namedItem,
  packageItem,
  readItemList,
  uniqueItems,
  type Item,
  type ReadItems,
} from '../ask/scan/items.ts';
import { decode, parseText } from '../io/files/documents.ts';
import { fileErrorReason, readRegularFile } from '../io/files/file-system.ts';
import { repeatedKeys } from '../core/repeated-keys.ts';
import { quote } from '../core/text.ts';
import { InputError, inputError, UsageError } from './command.ts';

const maxBytes = 128 * 2 ** 20;
/** As many as a person reads before correcting what wrote the document. */
const shownProblems = 20;

/** The items of the command line, each once, in the order of the arguments. */
export function readItems(args: readonly string[]): Item[] {
  return uniqueItems(args.flatMap(readArgument));
}

function readArgument(arg: string): readonly Item[] {
  if (/^pkg:/i.test(arg)) {
    const item = packageItem(arg);
    if (!item) throw new UsageError(`expected a package URL such as pkg:npm/name@1.0.0; got ${quote(arg)}`);
    return [item];
  }
  if (statSync(arg, { throwIfNoEntry: false })) return readItemsIn(arg);
  const [, name, version] = /^([^@\s/\\]+)@(\S+)$/.exec(arg) ?? [];
  if (name !== undefined) return [namedItem(name, version)];
  throw new UsageError(`expected component@version, a package URL or a file; there is no file ${quote(arg)}`);
}

function readItemsIn(path: string): Item[] {
  const { items, problems } = parseItems(path, readLimited(path));
  if (problems.length > 0) {
    const shown = problems.slice(0, shownProblems).map((message) => problem(path, message));
    const more = problems.length - shown.length;
    throw new InputError([...shown, ...(more > 0 ? [problem(path, `and ${more} more of the kind`)] : [])]);
  }
  const file = relative(process.cwd(), resolve(path));
  return items.map((item) => ({ ...item, file }));
}

function parseItems(path: string, bytes: Uint8Array): ReadItems {
  try {
    const text = decode(bytes);
    if (/^\s*</.test(text)) throw new Error('XML is not supported; write the document as JSON');
    if (!/^\s*[{[]/.test(text)) return readItemList(text);
    const document = parseText(text);
    const repeated = repeatedKeys(text);
    if (repeated.length === 0) return readBillOfMaterials(document);
    const problems = repeated.map(({ key, line }) => `line ${line}: has the key ${quote(key)} a second time`);
    return { items: [], problems };
  } catch (error) {
    throw inputError(path, (error as Error).message);
  }
}

function readLimited(path: string): Uint8Array {
  try {
    if (statSync(path).size > maxBytes) throw inputError(path, 'expected a file of at most 128 MiB');
    return readRegularFile(path);
  } catch (error) {
    const reason = fileErrorReason(error);
    throw reason === undefined ? error : inputError(path, `cannot be read: ${reason}`);
  }
}
