/** The same panel as an ordinary output: where there is no cell to stand beside (a view of an output, a console). */

import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import { Widget } from '@lumino/widgets';
import { asPanel, MIME } from './model';
import { type IChoices, PanelView } from './panel';

class TraceOutput extends Widget implements IRenderMime.IRenderer {
  constructor() {
    super();
    this.addClass('gl-output');
  }

  renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    this._view?.dispose();
    this._view = null;
    this._observer?.disconnect();
    const panel = asPanel(model.data[MIME]);
    if (panel) {
      // in a cell whose panel stands beside it this output is never seen, so it is not built either
      this._observer = new IntersectionObserver(entries => {
        if (entries.some(e => e.isIntersecting) && !this._view) {
          this._view = new PanelView([panel], this._choices);
          this.node.append(this._view.node);
          this._observer?.disconnect();
        }
      });
      this._observer.observe(this.node);
    }
    return Promise.resolve();
  }

  override dispose(): void {
    this._observer?.disconnect();
    this._view?.dispose();
    super.dispose();
  }

  private _choices: IChoices = { functions: {} };
  private _view: PanelView | null = null;
  private _observer: IntersectionObserver | null = null;
}

export const rendererFactory: IRenderMime.IRendererFactory = {
  safe: true, // builds elements from data, never from markup
  mimeTypes: [MIME],
  defaultRank: 10,
  createRenderer: () => new TraceOutput()
};
