// Imported before a program: writes what the whole process took to USAGE_FILE at its end.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMB: maxRSS / 1024 };
  writeFileSync(process.env.USAGE_FILE, JSON.stringify(usage));
});
