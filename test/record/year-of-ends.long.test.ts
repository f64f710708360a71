/** Simulates a year of real ends of support, with faults of their source: wrong ends for a day, stale copies, mirrors of two ages. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDays, type Day } from '../../src/core/day.ts';
import { readSettings, requireDefinitions } from '../../src/core/read-definitions.ts';
import type { Recorded } from '../../src/core/schema/recorded.ts';
import type { Definition } from '../../src/core/schema/written.ts';
import { judgeOne } from '../../src/judge/judge.ts';
import { listen } from '../harness/listen.ts';
import { openOperatedIndex, type OperatedIndex } from '../harness/operated-index.ts';
import {
  describeProduct,
  listReleases,
  products,
  worldDay,
  writeWorld,
  type Product,
} from '../harness/world.ts';

type Cycle = Product['releases'][number];
type Cycles = readonly Cycle[];

/** Every 40th product takes part, so that the year takes about a minute. */
const every = 40;
const start = addDays(worldDay, -360);

const hasEnd = ({ eol }: Cycle) => typeof eol === 'string';
/** Lists the cycles that a test on their end selects, the earliest end first. */
const sortEnds = (cycles: Cycles, select: (end: Day) => boolean) =>
  cycles
    .filter((cycle) => hasEnd(cycle) && select(String(cycle.eol)))
    .sort((a, b) => String(a.eol).localeCompare(String(b.eol)));
const moveEnd = (cycles: Cycles, moved: Cycle | undefined, eol: Day) =>
  cycles.map((cycle) => (cycle === moved ? { ...cycle, eol } : cycle));
/** Gives the line that ended last a later end. */
const extend = (cycles: Cycles, day: Day) =>
  moveEnd(cycles, sortEnds(cycles, (end) => end < day).at(-1), addDays(day, 365));

interface Fault {
  /** Returns the list that is wrong: a wrong list, or a list that was right before. */
  wrong(cycles: Cycles, day: Day): Cycles;
  /** Returns the list that is right from the first day on, if it is another one than before. */
  right?(cycles: Cycles, day: Day): Cycles;
  /** For each day, whether the source gives the right list. */
  isRight: readonly boolean[];
}

const forOneDay = [false, true, true, true];
const faults: Record<string, Fault> = {
  'a year typed wrong for a day': {
    wrong(cycles, day) {
      const [next] = sortEnds(cycles, (end) => end > addDays(day, 10));
      return moveEnd(cycles, next, addDays(day, 45 * 365));
    },
    isRight: forOneDay,
  },
  'a later end of an ended line for a day': { wrong: extend, isRight: forOneDay },
  'no ends for a day': {
    wrong: (cycles) => cycles.map((cycle) => ({ ...cycle, eol: false })),
    isRight: forOneDay,
  },
  'a stale copy for a day, after an extension': {
    wrong: (cycles) => cycles,
    right: extend,
    isRight: [true, false, true, true],
  },
  'a mirror of two ages, after an extension': {
    wrong: (cycles) => cycles,
    right: extend,
    isRight: [true, false, true, false, true, true],
  },
};

/** The products that take part, with the lists that are right and the lists that their source gives. */
const right = new Map<string, Cycles>(
  Object.entries(products).map(([name, { releases }]) => [name, releases]),
);
let given: ReadonlyMap<string, Cycles> = right;
let today = start;

async function open(): Promise<{ index: OperatedIndex; names: Map<string, string> }> {
  const upstream = await listen((request, response) => {
    const [, kind, product = ''] = /^\/(lists|v1\/products)\/(.*)$/.exec(request.url!)!;
    const releases = listReleases(product).filter((each) => each.releaseTimestamp <= today);
    const answer = { ...products[product]!, releases: [...given.get(product)!] };
    const document = kind === 'lists' ? { releases } : describeProduct(product, answer, today);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  const index = await openOperatedIndex();
  const names = new Map<string, string>();
  for (const [position, [product, name]] of [...writeWorld(index.root, upstream)].entries()) {
    if (position % every === 0 && right.get(product)!.some(hasEnd)) {
      names.set(product, name);
    } else {
      rmSync(join(index.root, `components/${name}.json`));
    }
  }
  index.commit('Define');
  await index.record(today);
  return { index, names };
}

/** Returns the ends of a component's lines on the day of the simulation, as text. */
function listEnds(name: string, definition: Definition, recorded: Recorded): string {
  const { lines } = judgeOne({ name, definition, recorded }, today);
  return lines.map(({ line, state, end }) => `${line} ${state} ${end}`).join(', ');
}

test('in a year of real ends, a fault of one day is over for readers two days later, and a held stale copy changes nothing', async () => {
  const { index, names } = await open();
  const definitions = requireDefinitions(index.root, readSettings(index.root));
  const table: object[] = [];
  const wrongLate: string[] = [];
  let kept = 0;
  for (let month = 0; month < 11; month++) {
    const kinds = Object.entries(faults);
    const [title, fault] = kinds[month % kinds.length]!;
    const first = addDays(start, 5 + month * 31);
    today = addDays(first, -1);
    await index.record(today);
    const wrong = new Map<string, Cycles>();
    for (const product of names.keys()) {
      const before = right.get(product)!;
      wrong.set(product, fault.wrong(before, first));
      right.set(product, fault.right?.(before, first) ?? before);
    }

    let ends = new Map(
      Array.from(names.values(), (name) => [name, index.data.readRecorded(name).lines]),
    );
    const falseOn: number[] = [];
    const holds = new Set<string>();
    for (const [offset, isRight] of fault.isRight.entries()) {
      today = addDays(first, offset);
      given = isRight ? right : wrong;
      await index.record(today);
      const held = new Set(index.data.readHeld().map(({ component }) => component));
      const isFalse = Array.from(names.values(), (name) => {
        const recorded = index.data.readRecorded(name);
        ends = isRight ? new Map(ends).set(name, recorded.lines) : ends;
        const definition = definitions.get(name)!;
        const readers = listEnds(name, definition, index.readEffective(name));
        return readers !== listEnds(name, definition, { ...recorded, lines: ends.get(name) })
          ? name
          : [];
      }).flat();
      falseOn.push(isFalse.length);
      held.forEach((name) => holds.add(name));
      // A hold of the stale answer keeps the ends that readers have.
      const isStale = fault.right && !isRight;
      kept += isStale ? held.size : 0;
      wrongLate.push(
        ...isFalse
          .filter((name) => (isStale ? held.has(name) : offset >= 2 || fault.right))
          .map((name) => `${title}, ${today}: ${name}`),
      );
    }
    table.push({ title, first, falseOn, holds: holds.size, open: index.data.readHeld().length });
  }

  expect(wrongLate, JSON.stringify(table)).toEqual([]);
  expect(index.data.readHeld()).toEqual([]);
  expect(kept).toBeGreaterThan(10);
}, 3_600_000);
