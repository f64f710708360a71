type Answer = () => unknown;

/**
 * Measures answers in milliseconds of processor time. Only the first query opens the index, so `opening` is measured once. For every other
 * question, the result is the median of fifteen answers.
 */
export async function measureAnswers({ opening, ...others }: Record<string, Answer>) {
  const costs: Record<string, number> = { opening: await measure(opening!) };
  for (const [name, answer] of Object.entries(others)) {
    // The first answer is not measured, because it also reads files that are cached afterwards.
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
