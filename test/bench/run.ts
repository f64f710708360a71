import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir, totalmem, type } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findCorpus, readCorpus } from './corpus.ts';
import { measureBuild, measureGather, measureGrowth, measureOrder, type Part, type Target } from './parts.ts';
import { measureWorker } from './worker.ts';
import { renderTables, saveDocument, saveSummary, type BenchTable } from './table.ts';

const checkout = resolve(import.meta.dirname, '../..');
const usage = `usage: npm run bench [-- --rounds N] [--only build|growth|order|gather|worker] [--save]
Measures whole processes by turns and prints medians with least and greatest, and the targets beside them.
--save writes the tables into test/bench/README.md and the three ratios that matter most into README.md.
Run "npm run format" after it.
`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    only: { type: 'string' },
    save: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);

if (values.help) process.stdout.write(usage);
else await main();

async function main(): Promise<void> {
  const corpus = findCorpus();
  if ('reason' in corpus) {
    process.stdout.write(`bench: nothing measured, ${corpus.reason}.\n`);
    return;
  }
  // In memory where that is possible: a disk would be what is measured.
  const scratch = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'release-index-bench-'));
  try {
    const read = readCorpus(corpus.archive, scratch);
    const measurements: Record<string, () => Part | Promise<Part>> = {
      build: () => measureBuild(scratch, read, rounds),
      growth: () => measureGrowth(scratch, read, rounds),
      order: () => measureOrder(scratch, read),
      gather: () => measureGather(scratch, rounds),
      worker: () => measureWorker(scratch, read, rounds),
    };
    const parts: Part[] = [];
    for (const [name, measure] of Object.entries(measurements)) {
      if (values.only !== undefined && values.only !== name) continue;
      const part = await measure();
      process.stdout.write(`\n${renderTables([part.table])}`);
      parts.push(part);
    }
    const targets = parts.flatMap((part) => part.targets);
    const outcome = `${renderTables([targetsTable(targets)])}\n${describeMachine()}\n`;
    process.stdout.write(`\n${outcome}`);
    if (!values.save) return;
    const tables = renderTables(parts.map(({ table }) => table));
    saveDocument(join(import.meta.dirname, 'README.md'), `${outcome}\n${tables}`);
    const headlines = targets.filter(({ isHeadline }) => isHeadline);
    saveSummary(
      join(checkout, 'README.md'),
      headlines.map(({ name, measured }) => `- ${name}: ${measured.text}`),
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function targetsTable(targets: readonly Target[]): BenchTable {
  return {
    title: 'Targets',
    headings: ['', 'target', 'measured', ''],
    rows: targets.map(({ name, wanted, measured, isMet }) => [
      name,
      wanted,
      measured.text,
      isMet(measured.median) ? 'met' : 'missed',
    ]),
  };
}

function describeMachine(): string {
  const cores = availableParallelism();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `Node ${process.versions.node} on ${type()}, ${cores} cores (${cpus()[0]?.model.trim()}), ${memory} GB; files in memory; ${rounds} rounds by turns, median (least–greatest).`;
}
