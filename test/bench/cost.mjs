// What a process and its children cost: the last line that it writes.
import { existsSync, readFileSync } from 'node:fs';

// Of Linux, which counts them in ticks of 10 ms. The bundler of a build is one.
const statistics = '/proc/self/stat';

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const memory = process.resourceUsage().maxRSS * 1024;
  const cpu = (user + system) / 1e6 + readChildren();
  process.stderr.write(`${JSON.stringify({ cpu, memory })}\n`);
});

/** Seconds of the children that have ended. */
function readChildren() {
  if (!existsSync(statistics)) {
    return 0;
  }

  // The second field is the name of the program, in parentheses.
  const fields = readFileSync(statistics, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
