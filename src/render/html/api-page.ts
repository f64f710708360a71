import type { Component } from '../../policy/component.ts';
import type { SiteContext } from '../site-context.ts';
import { fieldsOf, typeOf, type Field } from '../fields.ts';
import { isOfComponent, pathFor, publishedPaths, type PublishedPath } from '../paths.ts';
import { jsonSchemaOf, schemaNames } from '../json-schemas.ts';
import { pageOf } from './page-frame.ts';
import { renderTemplate } from './templates.ts';

interface PathView {
  path: string;
  summary: string;
  mediaType: string;
  readers: string;
  onlyIf: string;
  /** A real address of this form, relative to the page; empty where there is none. */
  href: string;
  /** Anchor of its fields on the page; empty where it has none. */
  anchor: string;
}

interface DocumentView extends PathView {
  schema: string;
  /** The whole document, where it is not an object. */
  type: string;
  fields: Field[];
  example: string;
}

/** `api.html`: every published path, made from the same table and schemas as `openapi.json`. */
export function renderApiPage(
  site: SiteContext,
  examples: ReadonlyMap<string, string>,
  sample: Component | undefined,
): string {
  const paths = publishedPaths.map((path) => viewPath(path, sample));
  return renderTemplate(site.theme, 'api', {
    page: pageOf(site, {
      title: `API: every path of ${site.config.title}`,
      heading: 'Every path, its fields and what you can rely on',
      description: `All documents of ${site.config.title}: their fields, schemas and examples, and what will never change.`,
      path: 'api.html',
      alternates: [{ type: 'application/json', title: 'OpenAPI 3.1', href: 'openapi.json' }],
    }),
    baseUrl: site.baseUrl,
    configuration: `{ "extends": [${JSON.stringify(`${site.baseUrl}/renovate.json`)}] }`,
    paths,
    documents: publishedPaths.flatMap((path, index) => viewDocument(path, paths[index]!, examples)),
    schemas: schemaNames.map((name) => ({
      name,
      href: `schema/${name}.json`,
      title: jsonSchemaOf(name).title!,
    })),
  });
}

function viewPath(path: PublishedPath, sample: Component | undefined): PathView {
  return {
    path: path.path.replaceAll(/[{}]/g, (brace) => (brace === '{' ? '<' : '>')),
    summary: path.summary,
    mediaType: path.mediaType,
    readers: path.readers,
    onlyIf: path.onlyIf ?? '',
    href: hrefOf(path, sample),
    anchor: path.schema === undefined ? '' : `schema-${path.schema}`,
  };
}

function hrefOf(path: PublishedPath, sample: Component | undefined): string {
  if (isOfComponent(path)) {
    if (!sample || (path.onlyIf !== undefined && !sample.judgement.latest)) return '';
    return pathFor(path.path, sample.name);
  }
  return path.path.includes('{') ? '' : path.path;
}

function viewDocument(
  path: PublishedPath,
  view: PathView,
  examples: ReadonlyMap<string, string>,
): DocumentView[] {
  if (path.schema === undefined) return [];
  const schema = jsonSchemaOf(path.schema);
  const fields = fieldsOf(schema);
  return [
    {
      ...view,
      schema: `schema/${path.schema}.json`,
      type: fields.length === 0 ? typeOf(schema) : '',
      fields,
      example: examples.get(path.path) ?? '',
    },
  ];
}
