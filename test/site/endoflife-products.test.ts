import { beforeAll, describe, expect, it } from 'vitest';
import { computeDetailsOn as readOn, type DetailsOn } from '../../src/ask/answers/component-on.ts';
import { judgeVersion } from '../../src/ask/answers/judge-version.ts';
import { addDays, toDay, type Day } from '../../src/core/model/dates.ts';
import { renderCycles } from '../../src/site/render/documents/endoflife-json.ts';
import { describeDetails } from '../../src/decide/details.ts';
import { openRoot } from '../../src/io/files/root.ts';
import { loadComponent } from '../../src/site/load-component.ts';
import { checkout } from '../harness/checkout.ts';
import {
  addProducts,
  cyclesOn,
  products,
  recordedProducts,
  startEndoflife,
} from '../harness/endoflife-products.ts';
import { definition, makeRoot, readJsonIn } from '../harness/root.ts';
import { runHere } from '../harness/run-here.ts';

type Cycles = ReturnType<typeof readableCycles>;

const names = Object.keys(products);
const today = toDay(new Date());

let root: string;

beforeAll(async () => {
  const { upstream, ...index } = await addProducts(today);
  await upstream.close();
  ({ root } = index);
});

function detailsOn(name: string, day: Day): DetailsOn {
  return readOn(
    describeDetails(loadComponent(openRoot(root, checkout), name, day).component!),
    day,
  );
}

/** The days around each stated day, and some others. */
function daysOf(name: string): Day[] {
  const stated = JSON.stringify(products[name]).match(/\d{4}-\d{2}-\d{2}/g)!;
  const around = stated.flatMap((day) => [-1, 0, 1, 2].map((days) => addDays(day, days)));
  const days = new Set([...around, today, '2026-01-01', '2027-12-31', '2040-01-01']);
  return [...days].filter((day) => day > '2025-12-01').sort();
}

/** The cycles whose latest release was out on a day. */
function expectedOn(name: string, day: Day) {
  return readableCycles(
    cyclesOn(products[name]!, day).filter(({ latest }) => latest!.date! <= day),
  );
}

/** In the form that Renovate reads (endoflife.date/docs/api). */
function readableCycles(cycles: ReturnType<typeof cyclesOn>) {
  return cycles.map(({ isEoas, eoasFrom, isEoes, eoesFrom, ...cycle }) => ({
    cycle: cycle.name,
    releaseDate: cycle.releaseDate,
    support: eoasFrom ?? (isEoas === undefined ? undefined : !isEoas),
    eol: cycle.eolFrom ?? cycle.isEol,
    extendedSupport: eoesFrom ?? (isEoes === undefined ? undefined : isEoes === false),
    latest: cycle.latest?.name,
    latestReleaseDate: cycle.latest?.date,
    lts: cycle.isLts,
  }));
}

describe.each(names)('an index that takes the support of %s from endoflife.date', (name) => {
  it('publishes the same cycles as endoflife.date, day by day', () => {
    for (const day of daysOf(name)) {
      expect(renderCycles(detailsOn(name, day)), day).toEqual(expectedOn(name, day));
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

it('200 real products read as a source of ends are published again with the same ends', async () => {
  const day = '2026-08-22';
  const upstream = await startEndoflife(recordedProducts, day);
  const registryUrl = `${upstream.url}api/`;
  const files = Object.keys(recordedProducts).map((product) => {
    const source = { datasource: 'endoflife-date' as const, product, registryUrl };
    return [`components/p-${product}.json`, definition({ support: { policy: 'stated', source } })];
  });
  const index = makeRoot(Object.fromEntries(files));
  const gathered = await runHere(['gather', '--root', index, '--as-of', day]);
  await upstream.close();
  const built = await runHere(['build', '--root', index, '--as-of', day]);

  expect([gathered.status, built.status], gathered.stderr + built.stderr).toEqual([0, 0]);
  expect(files).toHaveLength(200);
  for (const [product, recorded] of Object.entries(recordedProducts)) {
    const published = readJsonIn<Cycles>(index, `dist/endoflife/api/p-${product}.json`);
    const expected = readableCycles(cyclesOn(recorded, day));

    expect(
      Map.groupBy(published, ({ cycle }) => cycle),
      product,
    ).toEqual(Map.groupBy(expected, ({ cycle }) => cycle));
  }
});
