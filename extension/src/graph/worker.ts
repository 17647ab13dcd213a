/** Lays graphs out beside the page: Graphviz, and the quick layout for what is too large for it. */

import { instance, type Viz } from '@viz-js/viz';
import { type IJob, type ILayout, read } from './layout';
import { quickLayout } from './quick';

let graphviz: Promise<Viz> | null = null;

async function laidOut(job: IJob): Promise<ILayout> {
  if (job.quick) {
    return quickLayout(job.quick);
  }
  graphviz ??= instance();
  const result = (await graphviz).render(job.dot, { format: 'json0', engine: 'dot' });
  if (result.status !== 'success') {
    throw new Error(result.errors.map(e => e.message).join('\n'));
  }
  return read(JSON.parse(result.output), job);
}

self.addEventListener('message', (event: MessageEvent<IJob>) => {
  laidOut(event.data).then(
    layout => self.postMessage({ layout }),
    error => self.postMessage({ error: String(error) })
  );
});
