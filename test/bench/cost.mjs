// Prints, as the last line of a process, the processor time and memory of the process and its children. Node loads this file with `--import`.
import { existsSync, readFileSync } from 'node:fs';

// Linux counts the time of ended child processes here, in ticks of 10 ms. A build starts one child, the bundler.
const statistics = '/proc/self/stat';

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const memory = process.resourceUsage().maxRSS * 1024;
  const cpu = (user + system) / 1e6 + readChildren();
  process.stderr.write(`${JSON.stringify({ cpu, memory })}\n`);
});

/** Returns the processor time of all ended child processes, in seconds. */
function readChildren() {
  if (!existsSync(statistics)) {
    return 0;
  }

  // The second field is the program's name in parentheses. It may contain spaces, so the text is cut after it.
  const fields = readFileSync(statistics, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
