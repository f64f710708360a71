/**
 * Reads lists of versions in use:
 * - SBOMs
 * - tables whose first line names the columns
 * - texts with one item per line
 *
 * A line without an item is reported as not read. Pages run this file, so it imports neither zod nor Node.
 */
import { findPlaces, findSeparator, readTable } from '../core/table.ts';
import { readImage, readNamed, readPurlText, readText, type Item } from './item.ts';
import type { Names } from './owners.ts';
import { readQuestion } from './question.ts';
import { readBill } from './read-bill.ts';

export interface ReadList {
  readonly items: readonly Item[];
  /** The lines that were not read. `message`: the number and the text of the line. */
  readonly problems: readonly Unread[];
  /** Why nothing in the list could be read: `begins as JSON does, but is not JSON: …`. Undefined if the list was read. */
  readonly fault?: string | undefined;
}

interface Unread {
  readonly line: number;
  readonly entry: string;
  readonly message: string;
}

/** A line of a text or a row of a table, with its items. `items` is empty if no item was found. */
interface ReadLine {
  readonly line: number;
  readonly text: string;
  readonly items: readonly Item[];
}

/** Reads a list of versions in use. `names`: the names of all components and packages in the index. */
export function readList(source: string, names: Names): ReadList {
  const text = source.replace(/^\uFEFF+/, '').replaceAll(/\r\n?/g, '\n');
  const items = readBill(text);
  if (items) {
    return { items, problems: [] };
  }
  if (/^\s*[{[]/.test(text)) {
    return { items: [], problems: [], fault: findFault(text) };
  }

  const lines = text.split('\n').map((line) => line.trim());
  const entries = readRows(text, lines, names) ?? readLines(lines, names);
  return {
    items: entries.flatMap(({ line, items: read }) => read.map((item) => ({ ...item, line }))),
    problems: entries
      .filter((entry) => entry.items.length === 0)
      .map(({ line, text: whole }) => {
        const entry = whole.slice(0, 100);
        return { line, entry, message: `line ${line}: ${entry}` };
      }),
  };
}

/** Says why a text that begins like JSON is not an SBOM. Often its end is missing, because an upload failed. */
function findFault(text: string): string {
  try {
    JSON.parse(text.trimEnd());
    return 'is JSON, but none of CycloneDX, SPDX, syft or package-lock.json of npm 7';
  } catch (error) {
    return `begins as JSON does, but is not JSON: ${(error as Error).message.slice(0, 200)}`;
  }
}

/** Tells whether a line is neither empty nor a comment. */
function isEntry(line: string): boolean {
  return !/^(?:#|\/\/|$)/.test(line);
}

/** Reads one item or question per line. `- `, `* ` or a number may stand before the item, and a comment after it. */
function readLines(lines: readonly string[], names: Names): ReadLine[] {
  return lines.flatMap((text, index) => {
    if (!isEntry(text)) {
      return [];
    }

    const [item = ''] = text.replace(/^(?:[-*]|\d{1,3}[.)])\s+/, '').split(/\s#/);
    const entry = trimLine(item);
    // Any other line must be an item and nothing else, because the list may be of another kind.
    const isQuestion = /\?$|\d\s+lts$/i.test(entry);
    const read = readText(entry, names) ?? (isQuestion ? readQuestion(entry, names) : undefined);
    return { line: index + 1, text, items: keepWhole(read) };
  });
}

/**
 * Removes the text around an item:
 * - in a Dockerfile: `FROM --platform=linux/amd64 node:20 AS build` → `node:20`
 * - in YAML: `image: node:20` → `node:20`
 * - a remark: `Redis 7.2 (cache)` → `Redis 7.2`
 */
function trimLine(text: string): string {
  const item = text.trim().replace(/\s\([^()]*\)$/, '');
  const [, image] =
    /^(?:FROM|image:)\s+(?:--platform=\S+\s+)?["']?([^\s"']+)["']?(?:\s+AS\s.*)?$/i.exec(item) ??
    [];
  return image ?? item.trim();
}

/** Drops items without a name or without a version. */
function keepWhole(...items: readonly (Item | undefined)[]): Item[] {
  return items.filter((item) => item !== undefined).filter(isWhole);
}

function isWhole({ name, purl, version }: Item): boolean {
  return version !== undefined && (purl ?? name) !== undefined;
}

/** Matches the names of columns, in lower case and with letters only. */
const columnForms = {
  purl: /^(?:purl|packageurl)$/,
  image: /^images?$/,
  name: /^(?:component|name|package|packagename|product|software|application|app|tool|module|dependency|library|artifact)$/,
  version: /^(?:(?:installed|current|product)?version|installed|current|tag|release)$/,
};

/**
 * Reads a spreadsheet whose first line names one of these columns:
 * - package URLs
 * - images
 * - names, together with a column of versions
 *
 * Undefined for any other text. `Application,Name,Version` is not read either, because two of its columns may contain the names.
 */
function readRows(text: string, lines: readonly string[], names: Names): ReadLine[] | undefined {
  const first = lines.findIndex(isEntry);
  const separator = findSeparator(lines[first] ?? '');
  if (separator === undefined || separator === '|') {
    return undefined;
  }

  const { columns, rows } = readTable(text.split('\n').slice(first).join('\n'), separator);
  const findOnly = (form: RegExp) => {
    const [place, ...others] = findPlaces(columns, form);
    return others.length === 0 ? place : undefined;
  };
  const purlAt = findOnly(columnForms.purl);
  const imageAt = findOnly(columnForms.image);
  const nameAt = findOnly(columnForms.name);
  const versionAt = findOnly(columnForms.version);
  const hasNames = nameAt !== undefined && versionAt !== undefined;
  if (purlAt === undefined && imageAt === undefined && !hasNames) {
    return undefined;
  }

  return rows.map(({ line, cells }) => {
    const readCell = (place: number | undefined) => cells[place ?? -1] ?? '';
    const version = readCell(versionAt);
    const purl = readCell(purlAt);
    const image = readCell(imageAt);
    const items = purl
      ? [readPurlText(purl, version)]
      : [
          image ? readImage(image, version) : undefined,
          hasNames ? readNamed(readCell(nameAt), version, names) : undefined,
        ];
    // If a row has a comma too many, its cells are not below the names of their columns.
    const fits = cells.slice(columns.length).every((cell) => cell === '');
    return { line: first + line, text: cells.join(' '), items: fits ? keepWhole(...items) : [] };
  });
}
