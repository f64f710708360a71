// What a process cost: the last line that it writes.
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const memory = process.resourceUsage().maxRSS * 1024;
  process.stderr.write(`${JSON.stringify({ cpu: (user + system) / 1e6, memory })}\n`);
});
