/**
 * Reads an index as clients of endoflife.date's API do: from the preview, and from hosts that serve only files. The tests of the Worker
 * check which paths it and the preview answer.
 */
import { resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { exampleRoot } from '../harness/example.ts';
import { startNginx } from '../harness/nginx.ts';
import { lacks } from '../harness/programs.ts';
import { serveSite } from '../harness/serve-site.ts';
import { buildExample } from '../harness/site.ts';
import { startPreview } from '../publish/preview.ts';

const out = buildExample();
const preview = await startPreview(exampleRoot, { out, atEnd: afterAll });
const fileHost = await serveSite(out);

interface Release {
  name: string;
  isEol: boolean;
  isMaintained: boolean;
  eolFrom: string | null;
  latest: { name: string } | null;
}
interface Product {
  name: string;
  label: string;
  uri: string;
  releases: Release[];
}

const read = async (url: string): Promise<any> => {
  // A client such as `curl -sf` does not follow redirects.
  const answer = await fetch(url, { redirect: 'error', headers: { accept: 'application/json' } });
  if (!answer.ok) {
    throw new Error(`${url} answered ${answer.status}.`);
  }

  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  return answer.json();
};

/** The requests in CONTRACT that every host answers. */
const files = [
  'api/all.json',
  'api/svc.json',
  'api/v1/products.json',
  'api/v1/products/full',
  'api/v1/products/svc',
  'api/v1/identifiers/purl',
];
/** The requests in CONTRACT that only the Worker and the preview answer. */
const ofApi = [
  'api/svc/2025.1.json',
  'api/v1/products',
  'api/v1/products/svc/releases/2025.1',
  'api/v1/products/svc/releases/latest',
  'api/v1/products/',
  'api/v1/products/full/',
  'api/v1/products/svc/',
  'api/v1/products/svc/releases/2025.1/',
  'api/v1/identifiers/purl/',
];

test.each(files)('a host of files answers /%s', async (path) => {
  expect(await read(fileHost.url + path)).toEqual(await read(`${preview}/${path}`));
});

test.each(ofApi)('a host of files does not answer /%s', async (path) => {
  expect((await fetch(fileHost.url + path)).status).toBe(404);
});

describe('on the preview', () => {
  const base = `${preview}/api/v1`;

  test('an exporter of metrics reads a product, and one line by its name', async () => {
    // veerendra2/endoflife_exporter: GetProductDetails and GetRelease in pkg/endoflife/endoflife.go
    const { result: product } = (await read(`${base}/products/svc`)) as { result: Product };

    expect(product.releases.length).toBeGreaterThan(5);
    for (const release of product.releases) {
      const one = await read(`${base}/products/svc/releases/${release.name}`);
      expect(one).toMatchObject({ schema_version: '1.2.1', result: release });
    }
    expect((await read(`${base}/products/svc/releases/latest`)).result).toEqual(
      product.releases[0],
    );
  });

  test('a monitor reads each product of its list at a path with a slash at its end', async () => {
    // bergmann-max/endoflife-monitor: curl -sf "${API_URL}/${API_PRODUCT}/" in get_eol.sh
    const { result } = await read(`${base}/products/svc/`);

    expect(result).toMatchObject({ label: 'Server', category: 'component' });
    expect(result.releases.find(({ name }: Release) => name === '2025.1')).toMatchObject({
      eolFrom: '2026-10-08',
    });
  });

  test('the list of products leads to each product', async () => {
    const { total, result } = (await read(`${base}/products/`)) as {
      total: number;
      result: Product[];
    };

    expect(result.map(({ name }) => name)).toEqual(await read(`${preview}/api/all.json`));
    expect(total).toBe(result.length);
    for (const { name, label, uri } of result) {
      const product = await read(preview + new URL(uri).pathname);
      expect(product.result).toMatchObject({ name, label });
    }
  });

  test('each package URL leads to its product', async () => {
    const { total, result } = await read(`${base}/identifiers/purl/`);

    expect(total).toBe(result.length);
    for (const { identifier, product } of result) {
      const { result: details } = await read(preview + new URL(product.uri).pathname);
      expect(details.identifiers).toContainEqual({ type: 'purl', id: identifier });
    }
  });
});

test.each([
  ['the preview', preview],
  ['a host of files', fileHost.origin],
])('a builder of a vulnerability database reads all lines from %s', async (_, origin) => {
  // anchore/vunnel: the loop in src/vunnel/providers/eol/parser.py
  const full = (await read(`${origin}/api/v1/products/full`)) as { result: Product[] };
  const records = full.result.flatMap(({ name: product, releases }) =>
    releases.map(({ name, eolFrom, isEol }) => ({ product, name, eolFrom, isEol })),
  );

  expect(records).toContainEqual({
    product: 'svc',
    name: '2025.1',
    eolFrom: '2026-10-08',
    isEol: true,
  });
  expect(new Set(records.map(({ product }) => product))).toEqual(
    new Set(await read(`${origin}/api/all.json`)),
  );
});

test.skipIf(lacks('nginx'))(
  'nginx answers the list of products, and paths with a slash at their end',
  async () => {
    const settings = resolve(import.meta.dirname, '../../site/servers/nginx.conf');
    const origin = await startNginx(out, settings);

    for (const path of ['products', 'products/', 'products/svc/', 'identifiers/purl/']) {
      expect(await read(`${origin}/api/v1/${path}`)).toEqual(
        await read(`${preview}/api/v1/${path}`),
      );
    }
  },
);
