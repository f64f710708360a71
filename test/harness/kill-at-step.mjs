/** Loaded before a program: kills it before the step of the number KILL_AT_STEP, else tells the number of steps in STEP_COUNTER. */
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
    // The signal arrives while this waits.
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
