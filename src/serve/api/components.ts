/** Defines the routes that read an index: components, verdicts, and the releases that a query selects. */
import * as z from 'zod';
import { AskError } from '../../ask/ask-error.ts';
import { requireComponent, requireVerdict, searchReleases } from '../../ask/published-index.ts';
import { describedFields } from '../../ask/query/field-meanings.ts';
import type { Found } from '../../ask/query/search.ts';
import { ComponentFacts, ComponentStatus, Verdict } from '../../core/schema/documents.ts';
import { quote } from '../../core/text.ts';
import { addNote, sendJson } from './answers.ts';
import { afterParameter, cutPage, queryParameter, sizeParameter } from './pages.ts';
import { defineRoute, sinceParameter, textParameter, versionParameter } from './route.ts';

const readOperation = { method: 'get', permission: 'read' } as const;

const componentParameter = textParameter(200, 'the name of a component')
  .describe('The name or title of a component, or one of its packages or package URLs.')
  .meta({ example: 'svc' });

const ListedComponent = ComponentStatus.omit({ fields: true }).extend({ component: z.string() });

export const listComponents = defineRoute({
  ...readOperation,
  path: '/api/components',
  operationId: 'list-components',
  summary: 'Lists all components, and says how fresh their data is.',
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
  summary: 'Reads a component: details/<component>.json without the releases.',
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
  summary:
    'Gives the verdict on a version. If the version is not listed, its release line decides.',
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

const dayOrFlag = z.union([z.iso.date(), z.boolean()]);

export const showLifeCycle = defineRoute({
  method: 'get',
  path: '/api/{component}/{line}.json',
  operationId: 'show-life-cycle',
  summary:
    'Reads a line of api/<component>.json, in the format of version 0 of the endoflife.date API.',
  request: {
    params: {
      component: textParameter(100, 'the name of a component').meta({ example: 'svc' }),
      line: textParameter(400, 'a line such as 2025.1')
        .transform((text) => text.replace(/\.json$/, ''))
        .meta({ example: '2025.1' }),
    },
  },
  returns: {
    'application/json': z
      .strictObject({
        codename: z.string().optional(),
        releaseDate: z.iso.date().optional(),
        lts: dayOrFlag,
        support: dayOrFlag.optional(),
        eol: dayOrFlag,
        extendedSupport: dayOrFlag.optional(),
        latest: z.string().optional(),
        latestReleaseDate: z.iso.date().optional(),
        link: z.string().optional(),
      })
      .meta({ id: 'LifeCycle' }),
  },
  async answer({ call, index, params: { component, line } }) {
    const cycles = (await index.lifeCycles(component)) ?? [];
    const { cycle, ...facts } = cycles.find((each) => each.cycle === line) ?? {};
    if (cycle === undefined) {
      return rejectLine(`${component} ${line}`);
    }
    return sendJson(call, facts);
  },
});

export const showProductRelease = defineRoute({
  method: 'get',
  path: '/api/v1/products/{product}/releases/{release}',
  operationId: 'show-product-release',
  summary:
    'Reads a line of api/v1/products/<component>, in the format of version 1 of the endoflife.date API. The name latest stands for the newest line.',
  request: {
    params: {
      product: textParameter(100, 'the name of a component').meta({ example: 'svc' }),
      release: textParameter(400, 'a line such as 2025.1, or latest').meta({ example: 'latest' }),
    },
  },
  returns: {
    'application/json': z.looseObject({ result: z.looseObject({ name: z.string() }) }),
  },
  async answer({ call, index, params: { product, release } }) {
    const [document, { asOf }] = await Promise.all([index.product(product), index.status()]);
    const lines = Array.isArray(document?.result.releases) ? document.result.releases : [];
    const result = lines.find(({ name, releaseDate = '' }) =>
      // The newest line may be announced, but not released.
      release === 'latest' ? releaseDate <= asOf : name === release,
    );
    if (!document || !result) {
      return rejectLine(`${product} ${release}`);
    }

    const { schema_version, generated_at } = document;
    return sendJson(call, { schema_version, generated_at, result });
  },
});

function rejectLine(name: string): never {
  throw new AskError(
    404,
    `The index gives no end of support for ${quote(name)}. api/all.json lists all components with ends.`,
  );
}

/** The schemas of values in an answer, by the type of the field. The values of all other types, such as dates, are texts. */
const valueSchemas: Readonly<Record<string, z.ZodType>> = {
  String: z.union([z.string(), z.array(z.string())]),
  Number: z.number(),
  Boolean: z.boolean(),
};

/** A release, with all fields that a query can name. */
const Row = z
  .looseObject(
    Object.fromEntries(
      describedFields.map(({ name, type, meaning }) => [
        name,
        (valueSchemas[type] ?? z.string()).optional().describe(meaning),
      ]),
    ),
  )
  .meta({ id: 'Release' });

export const findReleases = defineRoute({
  method: 'get',
  path: '/api/releases',
  operationId: 'find-releases',
  summary:
    'Lists the releases that a query selects, in the order of availableAt, the oldest first. The header Link leads to the next page.',
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
      // Leaves out null, which means that the field has no value. JSON leaves out undefined, which means that the value is unknown.
      return Object.fromEntries(Object.entries(table.row(row)).filter(([, cell]) => cell !== null));
    });
    return sendJson(call, rows);
  },
});

/** Returns the time at which the run that recorded a release ended. If it is unknown, returns `1970`, so that the release comes first. */
function readAvailableAt({ table, row }: Found): string {
  return (table.value('availableAt', row) as string | undefined) ?? '1970';
}

function nameRelease({ table, row }: Found): string {
  return `${String(table.value('component', row))}/${String(table.value('version', row))}`;
}
