import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Day } from '../../src/core/model/dates.ts';
import { checkout } from './checkout.ts';
import { json } from './imitated-upstream.ts';
import { createRoot } from './root.ts';
import { runHere } from './run-here.ts';
import { serve, startUpstream } from './upstream.ts';

/** The last day of a phase, or whether it runs (`true`), is over (`false`) or is not to be had (`null`). */
type Last = Day | boolean | null;

/** As a page of endoflife.date has it. */
interface Cycle {
  name: string;
  releaseDate: Day;
  latest?: string;
  latestDate?: Day;
  /** A day is the one before the first with long-term support. */
  lts?: Day | boolean;
  /** Of active support; absent where the product has no such phase. */
  eoas?: Last;
  /** In place of a day, whether it is over. */
  eol: Day | boolean;
  /** Of extended support. */
  eoes?: Last;
}

/** A cycle from each line: its name, its first and perhaps its latest release, then its phases. */
function cycles(lines: string): Cycle[] {
  const words: Readonly<Record<string, Last>> = { true: true, false: false, null: null };
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const parts = line.trim().split(' ');
      const [name, releaseDate, latest, latestDate] = parts.filter((part) => !part.includes('='));
      const phases = parts.filter((part) => part.includes('='));
      const lasts = phases.map((phase) => phase.split('=') as [string, string]);
      const values = Object.fromEntries(
        lasts.map(([phase, last]) => [phase, last in words ? words[last] : last]),
      );
      return { name, releaseDate, latest, latestDate, ...values } as Cycle;
    });
}

/** Some release cycles of six products, newest first. */
export const products: Readonly<Record<string, readonly Cycle[]>> = {
  nodejs: cycles(`
    26 2026-04-22 26.0.0 2026-04-22 eol=2029-04-30 lts=2026-10-28 eoas=2027-10-20
    25 2025-10-15 25.2.1 2025-11-17 eol=2026-06-01 eoas=2026-04-01
    24 2025-05-06 24.11.1 2025-11-11 eol=2028-04-30 lts=2025-10-28 eoas=2026-10-20
    22 2024-04-24 22.21.1 2025-10-28 eol=2027-04-30 lts=2024-10-29 eoas=2025-10-21
    20 2023-04-18 20.19.5 2025-09-03 eol=2026-04-30 lts=2023-10-24 eoas=2024-10-22
    18 2022-04-19 18.20.8 2025-03-27 eol=2025-04-30 lts=2022-10-25 eoas=2023-10-18`),
  postgresql: cycles(`
    18 2025-09-25 18.1 2025-11-13 eol=2030-11-14
    17 2024-09-26 17.7 2025-11-13 eol=2029-11-08
    16 2023-09-14 16.11 2025-11-13 eol=2028-11-09
    13 2020-09-24 13.23 2025-11-13 eol=2025-11-13
    9.6 2016-09-29 9.6.24 2021-11-11 eol=2021-11-11
    9.5 2016-01-07 9.5.25 2021-02-11 eol=2021-02-11`),
  ubuntu: cycles(`
    25.04 2025-04-17 25.04 2025-04-17 eol=2026-01-15 eoas=2026-01-15 eoes=null
    24.04 2024-04-25 24.04.3 2025-08-07 eol=2029-05-31 lts=true eoas=2029-05-31 eoes=2036-05-31
    22.04 2022-04-21 22.04.5 2024-09-12 eol=2027-04-01 lts=true eoas=2024-09-30 eoes=2032-04-09
    20.04 2020-04-23 20.04.6 2023-03-23 eol=2025-05-31 lts=true eoas=2022-10-01 eoes=2030-04-02
    19.10 2019-10-17 19.10 2019-10-17 eol=2020-07-06 eoas=2020-07-06 eoes=null`),
  debian: cycles(`
    13 2025-08-09 13.2 2025-11-15 eol=2028-08-09 eoes=2030-06-30
    12 2023-06-10 12.12 2025-09-06 eol=2026-06-10 eoes=2028-06-30
    11 2021-08-14 11.11 2024-08-31 eol=2024-08-14 eoes=2026-08-31
    10 2019-07-06 10.13 2022-09-10 eol=2022-09-10 eoes=2024-06-30`),
  redis: cycles(`
    8.2 2025-08-04 8.2.3 2025-11-02 eol=false eoas=true
    7.4 2024-07-29 7.4.7 2025-11-02 eol=2026-11-30 eoas=false
    7.0 2022-04-27 7.0.15 2024-01-09 eol=2024-07-29 eoas=false
    6.0 2020-04-30 6.0.20 2023-07-10 eol=true eoas=false`),
  'eclipse-temurin': cycles(`
    25 2025-09-22 25.0.1+8 2025-10-23 eol=2031-09-30 lts=true
    24 2025-03-26 24.0.2+12 2025-07-21 eol=2025-09-30
    21 2023-10-12 21.0.9+10 2025-10-24 eol=2029-12-31 lts=true
    8 2021-07-31 8u472-b08 2025-10-24 eol=2030-12-31 lts=true`),
};

/** The cycles of 200 products, without their releases. */
export const recordedProducts = readProducts('test/fixtures/endoflife/products.txt');

function readProducts(path: string): Readonly<Record<string, readonly Cycle[]>> {
  const [, ...blocks] = readFileSync(join(checkout, path), 'utf8').split(/^(?=[\w-]+$)/m);

  return Object.fromEntries(
    blocks.map((block) => {
      const [name = '', ...lines] = block.split('\n');
      return [name, cycles(lines.join('\n'))];
    }),
  );
}

/**
 * The cycles of a product as the API states them on a day: a phase is over on the day after its last one, and long-term support
 * begins on the day after the stated one, as the generator of the site counts (_plugins/product-data-enricher.rb).
 */
export function cyclesOn(all: readonly Cycle[], day: Day) {
  return all.map(({ name, releaseDate, latest, latestDate, lts = false, eoas, eol, eoes }) => {
    const isPast = (last: Day) => day > last;
    const isOver = (last: Last) => (typeof last === 'string' ? isPast(last) : !last);
    const dayOf = (value: Last) => (typeof value === 'string' ? value : null);
    const isEol = typeof eol === 'string' ? isPast(eol) : eol;
    const runs = [!isEol, ...[eoas, eoes].map((last) => last !== undefined && !isOver(last))];
    return {
      name,
      releaseDate,
      isLts: typeof lts === 'string' ? isPast(lts) : lts,
      ltsFrom: dayOf(lts),
      ...(eoas !== undefined && { isEoas: isOver(eoas), eoasFrom: dayOf(eoas) }),
      isEol,
      eolFrom: dayOf(eol),
      ...(eoes !== undefined && {
        isEoes: eoes === null ? null : isOver(eoes),
        eoesFrom: dayOf(eoes),
      }),
      isMaintained: runs.includes(true),
      latest: latest === undefined ? null : { name: latest, date: latestDate, link: null },
    };
  });
}

/** `v1/products/<product>` on a day. */
export function answerOn(product: string, day: Day, cycles = products[product]!): object {
  const html = `https://endoflife.date/${product}`;
  const releasePolicy = `https://example.com/${product}/releases`;
  const links = { html, releasePolicy };
  return { result: { name: product, label: product, links, releases: cyclesOn(cycles, day) } };
}

/** The API of endoflife.date on a day. */
export function startEndoflife(all: Readonly<Record<string, readonly Cycle[]>>, day: Day) {
  return startUpstream(() => (request, response) => {
    const [, name = ''] = /^\/api\/v1\/products\/([\w-]+)$/.exec(request.url!) ?? [];
    const answers =
      name in all ? [[request.url!, json(answerOn(name, day, all[name]))] as const] : [];
    serve(new Map(answers))(request, response);
  });
}

/** An index of six products, each begun with `add` on a day, and the site of endoflife.date that it asks. */
export async function addProducts(day: Day) {
  const upstream = await startEndoflife(products, day);
  const root = createRoot().dir;
  for (const name of Object.keys(products)) {
    const registryUrl = `${upstream.url}api/`;
    const ran = await runHere([
      'add',
      'endoflife-date',
      name,
      '--registry-url',
      registryUrl,
      '--root',
      root,
    ]);
    expect({ ...ran, stdout: '' }, name).toEqual({ status: 0, stderr: '', stdout: '' });
  }
  return { root, upstream };
}
