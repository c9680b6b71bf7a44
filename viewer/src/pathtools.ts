// The keys of the camera's way: set, listed, played and saved.
import { button, clockText, el } from './dom';
import type { App } from './app';

export class PathTools {
  readonly element: HTMLElement;
  private list = el('ul', { class: 'keys', 'aria-label': 'Camera keys' });
  private play = button('Play', 'Play the camera path', () => this.start(), { class: 'playpath' });
  private save = button('Save GLB', 'Save the scene with this camera', () => void this.saveScene(), { class: 'savepath' });
  private clear = button('Clear', 'Remove all camera keys', () => this.app.path.clear(), { class: 'clearpath' });
  private hint = el('p', { class: 'none' }, 'Move the camera and the time, and set a key; two or more make a path, which is a camera for playing and recording.');

  constructor(
    private app: App,
    private download: (blob: Blob, name: string) => void,
  ) {
    const set = button('Set key', 'Set a camera key at this moment', () => app.setCameraKey(), { class: 'setkey' });
    this.element = el('div', {}, el('div', { class: 'tools' }, set, this.play, this.save, this.clear), this.hint, this.list);
    app.path.onChange = () => {
      this.update();
      app.pathChanged();
    };
    this.update();
  }

  private update() {
    const { path, clock } = this.app;
    this.play.disabled = this.save.disabled = !path.playable;
    this.clear.disabled = !path.keys.length;
    this.hint.hidden = path.playable;
    this.list.replaceChildren(
      ...path.keys.map((key) =>
        el(
          'li',
          {},
          button(clockText(key.t), `Go to the camera key at ${clockText(key.t)}`, () => clock.seek(key.t), { class: 'gokey' }),
          button('close', `Remove the camera key at ${clockText(key.t)}`, () => path.remove(key), { class: 'dropkey' }),
        ),
      ),
    );
  }

  private start() {
    const { path, clock } = this.app;
    this.app.setCamera('path');
    clock.seek(path.keys[0].t);
    if (!clock.playing) clock.toggle();
  }

  private async saveScene() {
    const scene = this.app.stage.sceneOf(0)?.bytes;
    if (scene) this.download(new Blob([this.app.path.addTo(scene)], { type: 'model/gltf-binary' }), 'path.glb');
  }
}
