// What a process exposes to Prometheus, read as Prometheus reads it.

/** By `name{label="value",…}` with the labels in order, or by the bare name where there are none. */
export async function readMetrics(url: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [inOrder(line.slice(0, end)), Number(line.slice(end + 1))];
    }),
  );
}

function inOrder(series: string): string {
  const [, name = '', labels = ''] = /^(\w+)\{(.*)\}$/.exec(series) ?? [];
  return name === '' ? series : `${name}{${labels.split(',').toSorted().join(',')}}`;
}
