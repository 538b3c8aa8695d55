interface Family {
  /** Its HELP and its TYPE, as the first process says them. */
  head: string[];
  samples: string[];
}

/** Joins what several processes say in Prometheus' text format: each sample gets a label `process`, each family stays together. */
export function joinMetrics(texts: readonly (readonly [process: string, text: string])[]): string {
  const families = new Map<string, Family>();
  for (const [process, text] of texts) {
    let family: Family | undefined;
    for (const line of text.split('\n').filter(Boolean)) {
      if (line.startsWith('# ')) {
        const name = line.split(' ')[2]!;
        family = families.get(name) ?? { head: [], samples: [] };
        families.set(name, family);
        if (family.head.length < 2) family.head.push(line);
      } else family?.samples.push(labelled(line, process));
    }
  }
  const lines = [...families.values()].flatMap(({ head, samples }) => [...head, ...samples]);
  return `${lines.join('\n')}\n`;
}

function labelled(sample: string, process: string): string {
  const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(sample)!;
  return `${name}{process="${process}"${labels && `,${labels}`}} ${value}`;
}
