// Serves a built site in the runtime of the host, asks it 15 questions at once before anybody else has asked, and then a small
// question while it answers a costly one. Prints as JSON by how many megabytes the questions raised the memory of the runtime,
// and the milliseconds for which the small question waited.
import { readdirSync, readFileSync } from 'node:fs';
import { serveSite } from '../../harness/worker.ts';

const [folder, costly] = process.argv.slice(2) as [string, string];
const site = await serveSite(folder);
const small = '/api/components/nodejs/releases/22.1.0';

async function ask(path: string): Promise<void> {
  const response = await fetch(new URL(path, site.url));
  await response.text();
  if (![200, 400].includes(response.status)) throw new Error(`${path}: ${response.status}`);
}

/** In megabytes, of the runtime's processes: `VmRSS` is what they take now, `VmHWM` the most that they have taken. */
function memory(field: 'VmRSS' | 'VmHWM'): number {
  return readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id))
    .map((id) => statusOf(id))
    .filter((status) => /^Name:\tworkerd$/m.test(status) && isDescendant(status))
    .map((status) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)![1]) / 1024)
    .reduce((sum, each) => sum + each, 0);
}

function statusOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/status`, 'utf8');
  } catch {
    return '';
  }
}

function isDescendant(status: string): boolean {
  const parent = /^PPid:\t(\d+)$/m.exec(status)?.[1] ?? '0';
  return Number(parent) === process.pid || (parent !== '0' && isDescendant(statusOf(parent)));
}

try {
  await ask(small);
  const idle = memory('VmRSS');
  await Promise.all(Array.from({ length: 15 }, () => ask('/api/releases?query=isLatest')));
  const addedMB = memory('VmHWM') - idle;

  const waits: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const working = ask(`/api/releases?${new URLSearchParams({ query: costly }).toString()}`);
    await new Promise((done) => setTimeout(done, 5));
    const start = performance.now();
    await ask(small);
    waits.push(performance.now() - start);
    await working;
  }
  process.stdout.write(JSON.stringify({ addedMB, waits }));
} finally {
  await site.close();
}
