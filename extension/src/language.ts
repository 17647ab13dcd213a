/**
 * Tells a kernel JupyterLab's language.
 *
 * `%load_ext graphlab` opens a comm for the target `graphlab`; the answer is one message, `{"language": "fa_IR"}`. A
 * kernel that has not loaded graphlab never asks, and nothing is ever run in it.
 */

import type { ISessionContext } from '@jupyterlab/apputils';

const TARGET = 'graphlab';

export function answerLanguage(session: ISessionContext, language: string): void {
  const register = (): void => {
    const kernel = session.session?.kernel;
    if (kernel?.handleComms) {
      kernel.registerCommTarget(TARGET, comm => {
        comm.send({ language });
      });
    }
  };
  session.kernelChanged.connect(register);
  register();
}
