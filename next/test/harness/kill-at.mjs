/**
 * Preloaded into a process (`--import`): ends it without any warning before the call with the number KILL_AT that changes files. Without
 * KILL_AT, it writes the number of these calls to standard error in the end.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const killAt = Number(process.env['KILL_AT'] ?? -1);
let calls = 0;
for (const name of [
  'mkdirSync',
  'openSync',
  'writeFileSync',
  'fsyncSync',
  'renameSync',
  'rmSync',
]) {
  const call = fs[name];
  fs[name] = (...args) => {
    if (calls === killAt) {
      process.kill(process.pid, 'SIGKILL');
    }
    calls += 1;
    return call(...args);
  };
}
syncBuiltinESMExports();
if (killAt < 0) {
  process.on('exit', () => process.stderr.write(String(calls)));
}
