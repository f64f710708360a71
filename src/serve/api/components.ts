/** What reads an index: components, verdicts, and lists in pages that a query selects. */
import * as z from 'zod';
import type { Found } from '../../core/query/search.ts';
import { ComponentFacts, ComponentStatus, Row, Verdict } from '../../core/schema/documents.ts';
import { describeBuild, selectRuns } from '../builds.ts';
import { AskError } from '../errors.ts';
import { requireComponent, requireVerdict, searchReleases } from '../published-index.ts';
import { addNote, sendJson } from './answers.ts';
import {
  type Call,
  defineRoute,
  sinceParameter,
  textParameter,
  versionParameter,
} from './route.ts';

const readOperation = { method: 'get', permission: 'read' } as const;

const componentParameter = textParameter(200, 'the name of a component')
  .describe('Name, title, package or package URL.')
  .meta({ example: 'svc' });

const ListedComponent = ComponentStatus.omit({ fields: true }).extend({ component: z.string() });

export const listComponents = defineRoute({
  ...readOperation,
  path: '/api/components',
  operationId: 'list-components',
  summary: 'All components, with their freshness.',
  returns: { 'application/json': z.array(ListedComponent) },
  async answer({ call, index }) {
    const { components } = await index.status();
    const list = Object.entries(components).map(([component, { fields: _, ...status }]) => ({
      component,
      ...status,
    }));
    return sendJson(call, list);
  },
});

export const showComponent = defineRoute({
  ...readOperation,
  path: '/api/components/{component}',
  operationId: 'show-component',
  summary: 'A component: details/<component>.json without the releases.',
  request: { params: { component: componentParameter } },
  returns: { 'application/json': ComponentFacts },
  async answer({ call, index, params }) {
    const { releases: _, ...facts } = await requireComponent(index, params.component);
    return sendJson(call, facts);
  },
});

export const checkVersion = defineRoute({
  ...readOperation,
  path: '/api/components/{component}/releases/{version}',
  operationId: 'check-version',
  summary: 'The verdict on a version. One that is not listed is judged by its line.',
  request: {
    params: {
      component: componentParameter,
      version: versionParameter.meta({ example: '2025.3' }),
    },
  },
  returns: {
    'application/json': Verdict.extend({ component: z.string(), asOf: z.iso.date() }),
  },
  async answer({ call, index, params }) {
    const { asOf } = await index.status();
    const item = { text: params.component, name: params.component, version: params.version };
    const { component, verdict } = await requireVerdict(index, item);
    return sendJson(call, { component, asOf, ...verdict });
  },
});

/* Lists in pages, which a query selects. */

const sizeError = { error: 'expected a whole number from 1 to 1000' };
const afterForm = 'the value in a link to the next page';

const queryParameter = textParameter(2000, 'a query').default('');
const sizeParameter = z.coerce
  .number(sizeError)
  .int(sizeError)
  .min(1, sizeError)
  .max(1000, sizeError)
  .default(100);
const afterParameter = textParameter(300, afterForm).optional();

export const findReleases = defineRoute({
  method: 'get',
  path: '/api/releases',
  operationId: 'find-releases',
  summary:
    'The releases of a query, oldest first by availableAt. The header Link leads to the next page.',
  permission: 'read',
  request: {
    query: {
      query: queryParameter.meta({ example: 'component:svc isSupported' }),
      maxReleases: sizeParameter,
      since: sinceParameter.optional(),
      after: afterParameter,
    },
  },
  returns: { 'application/json': z.array(Row) },
  async answer({ call, index, query: { query, since = 0, maxReleases: size, after } }) {
    const { releases: selected, hints } = await searchReleases(index, query);
    const releases = selected
      .filter((release) => Date.parse(readAvailableAt(release)) >= since)
      .sort((a, b) => readAvailableAt(a).localeCompare(readAvailableAt(b)));
    if (hints.length > 0) {
      addNote(call, hints.join(' '));
    }

    const page = cutPage(call, releases, { after, size }, nameRelease);
    const rows = page.map(({ table, row }) => {
      // What is known to be none is absent here, too.
      return Object.fromEntries(Object.entries(table.row(row)).filter(([, cell]) => cell !== null));
    });
    return sendJson(call, rows);
  },
});

/** Releases of which no run is recorded come first. */
function readAvailableAt({ table, row }: Found): string {
  return (table.value('availableAt', row) as string | undefined) ?? '1970';
}

function nameRelease({ table, row }: Found): string {
  return `${String(table.value('component', row))}/${String(table.value('version', row))}`;
}

const Build = z
  .object({
    id: z.string().length(13),
    availableAt: z.int().describe('When the run was finished, in milliseconds since 1970.'),
    buildToolType: z.string(),
    buildToolVersion: z.string(),
    buildAgentVersion: z.string(),
  })
  .meta({ id: 'BuildItem' });

export const findBuilds = defineRoute({
  method: 'get',
  path: '/api/builds',
  operationId: 'find-builds',
  summary:
    'The runs of this index that a query selects, oldest first. The header Link leads to the next page.',
  permission: 'read',
  request: {
    query: {
      since: sinceParameter.optional(),
      maxBuilds: sizeParameter,
      query: queryParameter.meta({ example: 'buildTool:npm buildDuration:>1s' }),
      after: afterParameter,
    },
  },
  returns: { 'application/json': z.array(Build) },
  async answer({ call, index, query: { since, maxBuilds: size, query, after } }) {
    const runs = selectRuns(query, await index.runs(since));
    const page = cutPage(call, runs, { after, size }, ({ id }) => id);
    // A query may count from the time of the request.
    return sendJson(call, page.map(describeBuild), query === '' ? 3600 : 0);
  },
});

/** The elements of a list after the one that `after` names, the last of the page before; from the first one without it. Links to the next page. */
function cutPage<Item>(
  call: Call,
  items: readonly Item[],
  { after, size }: { after: string | undefined; size: number },
  nameItem: (item: Item) => string,
): readonly Item[] {
  const position = after === undefined ? -1 : items.findIndex((item) => nameItem(item) === after);
  if (after !== undefined && position === -1) {
    throw new AskError(400, `after: expected ${afterForm}`, { parameter: 'after' });
  }

  const start = position + 1;
  const end = start + size;
  const page = items.slice(start, end);
  const last = page.at(-1);
  if (last !== undefined && items.length > end) {
    const next = new URL(call.req.url);
    next.searchParams.set('after', nameItem(last));
    const { baseUrl } = call.get('settings');
    call.header('Link', `<${baseUrl}${next.pathname}${next.search}>; rel="next"`);
  }
  return page;
}
