type Answer = () => unknown;

/** In milliseconds of processor time: the first answer, which opens an index, and the median of fifteen of each other question. */
export async function measureAnswers({ opening, ...others }: Record<string, Answer>) {
  const costs: Record<string, number> = { opening: await measure(opening!) };
  for (const [name, answer] of Object.entries(others)) {
    // The first reads what no question has asked for yet.
    await answer();
    const times: number[] = [];
    for (let run = 0; run < 15; run += 1) {
      times.push(await measure(answer));
    }
    costs[name] = times.toSorted((a, b) => a - b)[7]!;
  }
  return costs;
}

async function measure(answer: Answer): Promise<number> {
  const before = process.cpuUsage();
  await answer();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
