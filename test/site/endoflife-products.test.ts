import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { detailsOn as readOn, type DetailsOn } from '../../src/ask/details-on.ts';
import { judgeVersion } from '../../src/ask/judge-version.ts';
import { addDays, toDay, type Day } from '../../src/core/dates.ts';
import { isLtsOn } from '../../src/core/states.ts';
import { releaseCycles } from '../../src/ask/endoflife.ts';
import { detailsOf } from '../../src/decide/details.ts';
import { openRoot } from '../../src/io/files/root.ts';
import { loadComponent } from '../../src/site/load-component.ts';
import { checkout } from '../harness/checkout.ts';
import {
  addProducts,
  answerOn,
  cyclesOn,
  products,
  type ProductsIndex,
} from '../harness/endoflife-products.ts';
import { readJsonIn, removeTemporaryFolders } from '../harness/root.ts';
import { runHere } from '../harness/run-here.ts';
import { recordOn, siteOf } from '../harness/site.ts';

const names = Object.keys(products);
const today = toDay(new Date());

let index: ProductsIndex;
let root: string;

beforeAll(async () => {
  index = await addProducts(today);
  ({ root } = index);
});

afterAll(async () => {
  await index?.upstream.close();
  removeTemporaryFolders();
});

function detailsOn(name: string, day: Day): DetailsOn {
  return readOn(detailsOf(loadComponent(openRoot(root, checkout), name, day).component!), day);
}

/** The days around each stated one, and some that nothing happens on, once every release is out. */
function daysOf(name: string): Day[] {
  const stated = JSON.stringify(products[name]).match(/\d{4}-\d{2}-\d{2}/g)!;
  const around = stated.flatMap((day) => [-1, 0, 1, 2].map((days) => addDays(day, days)));
  const days = new Set([...around, today, '2026-01-01', '2027-12-31', '2040-01-01']);
  return [...days].filter((day) => day > '2025-12-01').sort();
}

/** The cycles whose latest release was out on a day. */
function expectedOn(name: string, day: Day) {
  return cyclesOn(name, day).filter(({ latest }) => latest.date <= day);
}

describe.each(names)('an index that takes the support of %s from endoflife.date', (name) => {
  it('reads answers that are as the API is described', () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema(
      load(readFileSync(join(checkout, 'test/fixtures/endoflife-v1.openapi.yml'), 'utf8')) as object,
      'api',
    );
    const validate = ajv.compile({ $ref: 'api#/components/schemas/ProductResponse' });

    expect(validate(answerOn(name, today)), JSON.stringify(validate.errors)).toBe(true);
  });

  it('begins with the latest release of each cycle, and names who states the ends', () => {
    const definition = readJsonIn<object>(root, `components/${name}.json`);

    const registryUrl = `${index.upstream.url}api/`;
    expect(definition).toMatchObject({
      title: name,
      homepage: `https://example.com/${name}/releases`,
      changelogUrl: `https://endoflife.date/${name}`,
      sources: [{ datasource: 'endoflife-date', packageName: name, registryUrl }],
      support: { policy: 'stated', source: { datasource: 'endoflife-date', product: name, registryUrl } },
    });
    expect(
      detailsOn(name, today)
        .releases.map(({ version }) => version)
        .toSorted(),
    ).toEqual(
      expectedOn(name, today)
        .map(({ latest }) => latest.name)
        .toSorted(),
    );
  });

  it('says day by day whether a cycle is supported, until when, and whether it has long-term support', () => {
    for (const day of daysOf(name)) {
      const found = detailsOn(name, day).lines.map((line) => ({
        name: line.line,
        isSupported: line.isSupported,
        supportedUntil: line.supportedUntil,
        isLts: isLtsOn(line, day),
        firstReleaseDate: line.firstReleaseDate,
        phase: line.phase?.name,
      }));
      const expected = expectedOn(name, day).map((cycle) => ({
        name: cycle.name,
        isSupported: !cycle.isEol,
        supportedUntil: cycle.eolFrom === null ? undefined : addDays(cycle.eolFrom, 1),
        isLts: cycle.isLts,
        firstReleaseDate: cycle.releaseDate,
        phase: phaseOf(cycle),
      }));

      expect(found, day).toEqual(expected.toReversed());
    }
  });

  it('publishes the cycles as that site does, day by day', () => {
    for (const day of daysOf(name)) {
      const found = releaseCycles(detailsOn(name, day)).map(
        ({ codename: _, label: __, ltsFrom: ___, ...rest }) => rest,
      );
      const expected = expectedOn(name, day).map(({ ltsFrom: _, ...rest }) => rest);

      expect(found, day).toEqual(expected);
    }
  });
});

it.each([
  ['nodejs', '22.99.1', '22'],
  ['ubuntu', '24.04.9', '24.04'],
  ['postgresql', '9.6.1', '9.6'],
])('an unlisted version of %s, %s, belongs to the cycle %s', (name, version, line) => {
  const judged = judgeVersion(detailsOn(name, today), { version });

  expect(judged.line?.line).toBe(line);
});

/** The first phase that is not over; the only one is called support. */
function phaseOf({ isEoas, isEol, isEoes }: ReturnType<typeof cyclesOn>[number]): string | undefined {
  if (isEoas === false) return 'active';
  if (!isEol) return isEoas === undefined ? 'support' : 'security';
  return isEoes === false ? 'extended' : undefined;
}

describe('ends that move', () => {
  it('are told as events, with who states them as the reason, and move nothing before', async () => {
    const gather = (...args: string[]) => runHere(['gather', ...args, '--root', root]);
    await recordOn(root, today);
    const linesOf = () =>
      readJsonIn<{ lines: { line: string; phases: object[] }[] }>(root, 'data/kubernetes.json').lines;
    const moveTo = (day: Day) => (name: string) =>
      JSON.parse(JSON.stringify(answerOn(name, today)).replaceAll('"2026-10-27"', `"${day}"`)) as object;

    index.answer(moveTo('2028-10-27'));
    expect((await gather('kubernetes')).status).toBe(0);
    expect(linesOf().at(-1)!.phases).toEqual([
      { name: 'active', until: '2026-08-28' },
      { name: 'security', until: '2028-10-28' },
    ]);
    await recordOn(root, today);
    expect(eventsOf('kubernetes').filter(({ initial }) => !initial)).toContainEqual(
      expect.objectContaining({
        type: 'support-moved',
        line: '1.34',
        phase: 'security',
        from: '2026-10-28',
        to: '2028-10-28',
        reason: expect.stringMatching(
          /^End of phase security of 1\.34, as 127\.0\.0\.1:\d+ states: 2028-10-28\.$/,
        ),
      }),
    );
    index.answer();
  });

  it('a newer release of a cycle takes the place of an older one, which is not withdrawn', async () => {
    index.answer(
      (name) =>
        JSON.parse(
          JSON.stringify(answerOn(name, today)).replaceAll(/"(1[3678])\.(\d+)"/g, '"$1.99"'),
        ) as object,
    );
    const { stderr } = await runHere(['gather', 'postgresql', '--root', root]);

    const { releases } = detailsOn('postgresql', today);
    expect(stderr).not.toContain('no longer lists');
    expect(releases.map(({ version }) => version)).toEqual(
      expect.arrayContaining(['13.23', '13.99', '16.11', '16.99', '17.7', '17.99', '18.1', '18.99']),
    );
    expect(releases.filter(({ withdrawnSince }) => withdrawnSince)).toEqual([]);
    index.answer();
  });
});

it('a site of the index is built and passes its checks', () => {
  const out = siteOf(root, today);

  expect(readFileSync(join(out, 'nodejs.html'), 'utf8')).toContain('as 127.0.0.1');
});

interface Event {
  type: string;
  initial?: boolean;
}

function eventsOf(name: string): Event[] {
  return readFileSync(join(root, `data/journal/${name}.ndjson`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Event);
}
