/** The JupyterLab extension: shows beside each code cell the traces that its outputs describe. */

import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';

const plugin: JupyterFrontEndPlugin<void> = {
  id: 'graphlab:panel',
  description: 'Shows beside a notebook cell every trace that it caused.',
  autoStart: true,
  activate: (_app: JupyterFrontEnd) => {
    // The panel comes here.
  }
};

export default plugin;
