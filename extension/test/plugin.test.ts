import { expect, test } from 'vitest';

import plugin from '../src/index';

test('the plugin starts with JupyterLab', () => {
  expect(plugin.id).toBe('graphlab:panel');
  expect(plugin.autoStart).toBe(true);
});
