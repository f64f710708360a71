/**
 * Kills the process before step number KILL_AT_STEP. A step is a written, renamed or removed file, or a started program. Node loads this file
 * with `--import`, before the program itself. If the process ends by itself, the number of its steps is written to the file STEP_COUNTER.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const last = Number(process.env.KILL_AT_STEP);
const { writeFileSync } = fs;
let steps = 0;

function countStep() {
  steps += 1;
  if (steps === last) {
    process.kill(process.pid, 'SIGKILL');
    // Blocks the process until the signal ends it.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
}

for (const [owner, names] of [
  [fs, ['writeFileSync', 'renameSync', 'rmSync']],
  [childProcess, ['execFileSync', 'spawn']],
]) {
  for (const name of names) {
    const original = owner[name];
    owner[name] = (...args) => {
      countStep();
      return original(...args);
    };
  }
}
syncBuiltinESMExports();
process.on('exit', () => writeFileSync(process.env.STEP_COUNTER, String(steps)));
