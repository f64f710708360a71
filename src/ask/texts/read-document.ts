import { repeatedKeys } from '../../core/text/repeated-keys.ts';
import { quote } from '../../core/text/text.ts';
import { isMarkedBill, readBillOfMaterials } from './bill-of-materials.ts';
import { isObject, textLineFinder } from './document-entries.ts';
import { entryOf, longestText, statedItems, type Entry } from './items.ts';
import {
  isPackageJson,
  isPackageLock,
  readPackageJson,
  readPackageLock,
  readPnpmLock,
  readYarnLock,
} from './node-files.ts';
import { readPom } from './pom.ts';
import { versionOrRange } from './build-lines.ts';
import { readLine } from './read-line.ts';
import type { ReadText } from './items.ts';

/** The statements of a document; undefined for a text that is read line by line. */
export function readTextDocument(
  text: string,
  fileName: string,
  most: number,
): ReadText | undefined {
  const start = text.trimStart().slice(0, 200);
  if (/^(?:\{|\[\s*(?:[{["\]]|$))/.test(start)) {
    return readJson(text, most);
  }

  if (/^(?:<\?xml[^>]*>\s*)?<bom\b/.test(start)) {
    return rejected('XML is not supported; write the bill of materials as JSON');
  }

  if (text.includes('<artifactId>')) {
    return documentOf(readPom(text));
  }

  if (/^lockfileVersion:/m.test(text)) {
    return documentOf(readPnpmLock(text));
  }

  if (/^# yarn lockfile v1|^__metadata:/m.test(text)) {
    return readYarnLock(text);
  }

  if (/^dependencies:\s*$/m.test(text) && /^(?:apiVersion|generated):/m.test(text)) {
    return documentOf(readChart(text));
  }

  const isRequirements = /(?:requirements|constraints)[^/]*\.(?:txt|in)$/i.test(fileName);

  return isRequirements || requirementSigns.test(text)
    ? documentOf(readRequirements(text, most))
    : undefined;
}

function documentOf(entries: readonly Entry[]): ReadText {
  return { entries, problems: [], isDocument: true };
}

function rejected(problem: string): ReadText {
  return { entries: [], problems: [problem] };
}

function readJson(text: string, most: number): ReadText {
  let document: unknown;

  try {
    document = JSON.parse(text);
  } catch (error) {
    return rejected((error as Error).message);
  }

  const problems = repeatedKeys(text).map(
    ({ key, line }) => `line ${line}: has the key ${quote(key)} a second time`,
  );
  if (problems.length > 0) {
    return { entries: [], problems };
  }

  const fields = isObject(document) ? document : {};
  const forms = [isMarkedBill(fields), isPackageLock(fields), isPackageJson(fields)];
  if (forms.filter(Boolean).length > 1) {
    return rejected('expected one format; got several in one document. Scan each by itself');
  }

  const lineOf = textLineFinder(text);

  if (isPackageLock(fields)) {
    return readPackageLock(fields, lineOf);
  }

  if (isPackageJson(fields)) {
    return documentOf(readPackageJson(fields, lineOf));
  }

  const list = isMarkedBill(fields) ? undefined : readJsonList(document, lineOf, most);

  return list ? { entries: list, problems: [] } : readBillOfMaterials(document, lineOf);
}

/** `{"server": "2025.1"}`, `["server@2025.1"]`, `[{"name": "server", "version": "2025.1"}]`. */
function readJsonList(
  document: unknown,
  lineOf: (text: string) => number | undefined,
  most: number,
): Entry[] | undefined {
  if (Array.isArray(document)) {
    return readElements(document, lineOf, most);
  }

  const pairs = Object.entries(isObject(document) ? document : {});
  const isMap = pairs.every(
    ([, value]) => typeof value === 'string' && /^[v^~<>=\s]*\d/i.test(value.slice(0, 100)),
  );
  if (pairs.length === 0 || !isMap) {
    return undefined;
  }

  return pairs.map(([name, versionValue]) => {
    const { version, range } = versionOrRange(cut(versionValue as string));
    const items = statedItems(`${name}@${version ?? range}`, cut(name), version, range);

    return withLine(items, lineOf(name));
  });
}

/** The entries of a list; undefined if one of its elements is none. Stops behind `most`. */
function readElements(
  elements: readonly unknown[],
  lineOf: (text: string) => number | undefined,
  most: number,
): Entry[] | undefined {
  const entries: Entry[] = [];

  for (const element of elements) {
    if (entries.length > most) {
      break;
    }

    const ofElement = readElement(element, lineOf);
    if (!ofElement) {
      return undefined;
    }

    entries.push(...ofElement);
  }

  return entries;
}

function readElement(
  element: unknown,
  lineOf: (text: string) => number | undefined,
): Entry[] | undefined {
  if (typeof element === 'string') {
    const line = lineOf(element);
    return readLine(element).map((entry) => withLine(entry, line));
  }

  if (!isObject(element)) {
    return undefined;
  }

  const text = (...keys: string[]) =>
    keys.map((key) => element[key]).find((value) => typeof value === 'string');

  const [name, version, purl] = [
    text('component', 'name', 'package'),
    text('version'),
    text('purl'),
  ];
  if (purl === undefined && (name === undefined || version === undefined)) {
    return undefined;
  }

  const entry = entryOf({
    name: cut(name ?? ''),
    version: version === undefined ? undefined : cut(version),
    purls: purl === undefined ? [] : [cut(purl)],
  });

  return [withLine(entry, lineOf(purl ?? name!))];
}

function cut(text: string): string {
  return text.slice(0, longestText);
}

function withLine(entry: Entry, line: number | undefined): Entry {
  return entry.map((item) => ({ ...item, line }));
}

/** The dependencies in a Chart.yaml or a Chart.lock. */
function readChart(text: string): Entry[] {
  const entries: Entry[] = [];
  let chart: Record<string, string> = {};
  let isInside = false;
  let line = 0;

  const keep = () => {
    if (chart['name'] !== undefined) {
      entries.push(chartEntry(chart, line));
    }

    chart = {};
  };

  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const content = cut(raw)
      .replace(/(?:^|\s)#.*$/, '')
      .trimEnd();
    if (/^\w/.test(content)) {
      isInside = content.startsWith('dependencies:');
    }

    const [, isNew, key, value = ''] =
      /^\s*(-\s+)?(\w+):\s*["']?([^"']*)["']?$/.exec(isInside ? content : '') ?? [];
    if (isNew !== undefined || !isInside) {
      keep();
    }

    if (key === 'name') {
      line = index + 1;
    }

    if (key !== undefined && key !== 'dependencies') {
      chart[key] = value;
    }
  }

  keep();

  return entries;
}

function chartEntry(chart: Record<string, string>, line: number): Entry {
  const { name = '', version: versionText, repository = '' } = chart;
  const { version, range } = versionOrRange(versionText);
  const shared = { text: `${name} ${versionText ?? ''}`.trim(), line, version, range };
  const purl = { type: 'helm', name, version };
  const [, path] = /^oci:\/\/[^/]+\/(.+?)\/*$/.exec(repository) ?? [];
  if (path === undefined) {
    return [{ ...shared, purl }];
  }

  const image = { type: 'docker', namespace: path, name, version };

  return [
    { ...shared, purl },
    { ...shared, purl: image },
  ];
}

/** Forms that only files for pip have. */
const requirementSigns =
  /^(?:-[re]|--(?:requirement|editable|index-url|extra-index-url))\s|^[A-Za-z\d][\w.-]*(?:\[[\w, .-]*\])?\s*(?:~=|[=!<>]=?=?)[^#\n]{0,200}(?:;\s*(?:python_|sys_|platform_|os_name|extra)|--hash=)|^[A-Za-z\d][\w.-]*(?:\[[\w, .-]+\]\s*|\s*~)==?/m;

const requirement =
  /^([A-Za-z\d][\w.-]*)\s*(?:\[[\w\s,.-]*\])?\s*((?:(?:===?|~=|!=|<=|>=|<|>)\s*[\w.*+!-]+\s*(?:,\s*)?)*)$/;

/** The requirements in a file for pip. Stops behind `most`. */
function readRequirements(text: string, most: number): Entry[] {
  const entries: Entry[] = [];
  let line = 1;

  for (const joined of text.replaceAll(/\\\r?\n/g, '\v').split(/\r?\n/)) {
    if (entries.length > most) {
      break;
    }

    const content = joined.replaceAll('\v', ' ').slice(0, 20 * longestText);
    const hashes = Array.from(content.matchAll(/--hash=([\w]+:[\da-f]+)/g), ([, hash]) => hash!);

    const requirementText = cut(content)
      .split(/(?:^|\s)#|\s--hash=|;/, 1)[0]!
      .trim();

    if (requirementText !== '') {
      const [, name, signs = ''] = requirement.exec(requirementText) ?? [];
      const { version, range } = versionOrRange(signs.trim());
      const purl = name === undefined ? undefined : { type: 'pypi', name, version };
      const digests = hashes.length > 0 ? hashes : undefined;

      entries.push([{ text: requirementText, line, purl, version, range, digests }]);
    }

    line += joined.split('\v').length;
  }

  return entries;
}
