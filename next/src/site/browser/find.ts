/** Finds what a person typed in `search.json`. Runs in a browser, without a bundler, on modules of `core/`. */
import { formatPackage, listPackages, parsePurl, type Purl } from '../../core/purl.ts';
import { selects } from '../../core/query/match.ts';
import { parseQuery } from '../../core/query/parse.ts';
import { listRows, releaseFields } from '../../core/query/release-fields.ts';
import {
  expandReleases,
  type SearchRelease,
  type Search,
  type SearchedComponent,
} from '../../core/search.ts';
import { createLineFinder, parseVersion, releaseKey } from '../../core/version.ts';
import { nameAnchor, stateLabels } from '../../core/words.ts';

export interface Searched extends SearchedComponent {
  name: string;
}
export interface Loaded {
  search: Search;
  components: Searched[];
}

let loading: Promise<Loaded> | undefined;

/** `search.json`, fetched once. */
export function loadIndex(): Promise<Loaded> {
  return (loading ??= readIndex());
}

async function readIndex(): Promise<Loaded> {
  const root = document.querySelector<HTMLElement>('main')!.dataset['root'] ?? '';
  const response = await fetch(`${root}search.json`);
  if (!response.ok) {
    throw new Error(`search.json answers ${response.status}.`);
  }

  const search = (await response.json()) as Search;
  return {
    search,
    components: Object.entries(search.components).map(([name, component]) => ({
      name,
      ...component,
    })),
  };
}

/** The component with this name, title, alias or package; else the only one whose names begin with it. */
export function findComponent(
  index: readonly Searched[],
  text: string | Purl,
): Searched | undefined {
  const purl = typeof text === 'string' ? parsePurl(text) : text;
  if (purl || typeof text !== 'string') {
    const wanted = new Set(purl ? listPackages(purl) : []);
    return index.find(({ packages }) => packages.some((each) => wanted.has(each)));
  }

  const wanted = text.trim().toLowerCase();
  const image = formatPackage('docker', wanted);
  const exact = index.find(
    ({ names, packages }) =>
      names.some((name) => name.toLowerCase() === wanted) || packages.includes(image),
  );
  if (exact || wanted === '') {
    return exact;
  }

  const candidates = index.filter(({ names }) =>
    names.some((name) => name.toLowerCase().startsWith(wanted)),
  );
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** `Server 2025.1` as a component and a version. The version is the last word that begins with a digit. */
export function readSubject(
  index: readonly Searched[],
  text: string,
): { component: Searched; version?: string } | undefined {
  const [, name = text, version] = /^(.*?)[\s@]+(v?\d\S*)$/i.exec(text.trim()) ?? [];
  const component = findComponent(index, name) ?? findComponent(index, text);
  return component && { component, ...(version !== undefined && { version }) };
}

/** The release and the line of a version, in any spelling. */
function findVersion(component: Searched, text: string) {
  const { lines } = component;
  const version = parseVersion(text);
  const rank = version && releaseKey(version);
  const release = expandReleases<SearchRelease>(component).find(
    (each) => each.version === text || releaseKey(parseVersion(each.version)!) === rank,
  );
  const name =
    release?.line ?? (version && createLineFinder(lines.map(({ line }) => line))(version));
  return { release, line: lines.find(({ line }) => line === name) };
}

export interface Verdict {
  component: Searched;
  version: string;
  state: string;
  until: string;
  move: string;
}

export function judge(component: Searched, version: string): Verdict {
  const { release, line } = findVersion(component, version);
  const { supportedUntil, supportedUntilAtMost } = line ?? {};
  const { state, moveTo } = release ?? line ?? {};
  return {
    component,
    version,
    state:
      state === undefined ? 'Not listed' : `${stateLabels[state]}${release ? '' : ' (not listed)'}`,
    until: supportedUntil ?? supportedUntilAtMost ?? '',
    move: !moveTo
      ? ''
      : moveTo.component === component.name
        ? moveTo.version
        : `${moveTo.component} ${moveTo.version}`,
  };
}

/** The verdicts on the releases that a query selects. */
export function searchReleases({ search, components }: Loaded, text: string): Verdict[] {
  const query = parseQuery(text, releaseFields, Date.parse(search.asOf));
  const byName = new Map(components.map((component) => [component.name, component]));
  const rows = listRows(search).filter((row) => selects(query, row));
  return rows.map(({ component, version }) => judge(byName.get(component)!, version));
}

/** A table of verdicts, each with a link to the page that explains it. */
export function drawVerdicts(verdicts: readonly Verdict[]): HTMLTableElement {
  const table = document.createElement('table');
  const head = table.createTHead().insertRow();
  for (const heading of ['Component', 'Version', 'State', 'Until', 'Move to']) {
    const cell = document.createElement('th');
    cell.scope = 'col';
    cell.textContent = heading;
    head.append(cell);
  }

  const body = table.createTBody();
  for (const { component, version, state, until, move } of verdicts) {
    const row = body.insertRow();
    const link = document.createElement('a');
    link.href = `${component.name}.html#${nameAnchor(version)}`;
    link.textContent = version;
    row.insertCell().textContent = component.title;
    row.insertCell().append(link);
    for (const text of [state, until, move]) {
      row.insertCell().textContent = text;
    }
  }
  return table;
}
