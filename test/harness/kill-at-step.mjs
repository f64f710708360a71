/**
 * Is loaded into a process before its program. A step is a written, renamed or removed file, or a started program. KILL_AT_STEP is the number
 * of the step before which the process is killed. If the process ends by itself, the number of its steps is written to the file STEP_COUNTER.
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
