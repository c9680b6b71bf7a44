"""Imports game replays into Blender: File > Import > Game replay (Reprise), or drop them on a view.

An extension for Blender 4.2 and later (blender_manifest.toml), an add-on for 3.4 to 4.1. It runs the
command `reprise`, which can be set in the preferences.
"""

import os

import bpy
from bpy.props import BoolProperty, CollectionProperty, FloatProperty, IntProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

from .scene import Export, import_replay, import_scene  # noqa: F401

bl_info = {
    "name": "Game replays (Reprise)",
    "author": "The Reprise authors",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "File > Import > Game replay (Reprise)",
    "description": "Import replays of several games as animated scenes",
    "category": "Import-Export",
}

ENDINGS = (".replay", ".vcap", ".icrep", ".icsave", ".orarep", ".rep", ".bin", ".xml")
# How often a running command is looked at.
TICK_S = 0.1


class Preferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    command: StringProperty(
        name="Command", description="Path of reprise; empty: the one in PATH", subtype="FILE_PATH"
    )

    def draw(self, _context):
        self.layout.prop(self, "command")


def preferred_command(context):
    addon = context.preferences.addons.get(__package__)
    return bpy.path.abspath(addon.preferences.command) if addon and addon.preferences else ""


class ImportReplay(bpy.types.Operator, ImportHelper):
    """Import game replays as animated scenes"""

    bl_idname = "import_scene.reprise"
    bl_label = "Import game replay"
    bl_options = {"REGISTER", "UNDO"}

    filter_glob: StringProperty(default=";".join(f"*{e}" for e in ENDINGS), options={"HIDDEN"})
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    command: StringProperty(
        name="Command", description="Path of reprise, if not that of the preferences", options={"HIDDEN"}
    )
    fps: IntProperty(name="Frames per second", description="0: keep the frame rate of the scene",
                     default=0, min=0, max=240)
    set_range: BoolProperty(name="Set frame range", description="From the start of the replay to its end",
                            default=False)
    time_from: FloatProperty(name="From (s)", default=0.0, min=0.0)
    time_to: FloatProperty(name="To (s)", description="0: to the end", default=0.0, min=0.0)
    exact: BoolProperty(name="Keep every key", default=False)

    def invoke(self, context, event):
        # Files that were dropped are known already.
        if self.directory and self.files:
            return context.window_manager.invoke_props_dialog(self)
        return super().invoke(context, event)

    def paths(self):
        names = [item.name for item in self.files if item.name]
        return [os.path.join(self.directory, name) for name in names] if names else [self.filepath]

    def arguments(self):
        options = ["--exact"] if self.exact else []
        if self.time_from > 0:
            options += ["--from", str(self.time_from)]
        if self.time_to > 0:
            options += ["--to", str(self.time_to)]
        return options

    # ---- one replay after the other

    def execute(self, context):
        self.waiting, self.work, self.timer = self.paths(), None, None
        self.imported, self.total = 0, len(self.waiting)
        self.path = self.command or preferred_command(context)
        if bpy.app.background or not context.window:
            while self.waiting or self.work:
                self.step(wait=True)
            return {"FINISHED"} if self.imported else {"CANCELLED"}
        manager = context.window_manager
        self.timer = manager.event_timer_add(TICK_S, window=context.window)
        manager.progress_begin(0, 100)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def step(self, wait=False):
        """Starts the next command, or imports what one has finished. A file that fails is reported; the
        others are imported all the same."""
        try:
            if not self.work:
                self.work = Export(self.waiting.pop(0), self.path, self.arguments())
            if not wait and self.work.running():
                return
            words = self.work.finish()
            name = os.path.basename(self.work.replay)
            import_scene(self.work.target, name, self.fps or None, set_range=self.set_range)
            self.imported += 1
            if words:
                self.report({"WARNING"}, words)
        except (RuntimeError, OSError) as problem:
            self.report({"ERROR"}, str(problem))
        self.drop_work()

    def drop_work(self):
        if self.work:
            self.work.close()
        self.work = None

    # ---- while the command runs in the background

    def modal(self, context, event):
        if event.type == "ESC":
            self.waiting.clear()
            self.drop_work()
            self.stop(context)
            self.report({"INFO"}, f"{self.imported} of {self.total} replays imported")
            return {"FINISHED"} if self.imported else {"CANCELLED"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        self.step()
        self.show(context)
        if self.waiting or self.work:
            return {"RUNNING_MODAL"}
        self.stop(context)
        return {"FINISHED"} if self.imported else {"CANCELLED"}

    def show(self, context):
        if not self.work:
            return
        done = (self.total - len(self.waiting) - 1 + self.work.done) / self.total
        context.window_manager.progress_update(100 * done)
        name = os.path.basename(self.work.replay)
        context.workspace.status_text_set(f"Reading {name}: {100 * self.work.done:.0f} % (Esc stops)")

    def stop(self, context):
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)


CLASSES = [Preferences, ImportReplay]

# Blender 4.1 and later take files that are dropped on a view.
if hasattr(bpy.types, "FileHandler"):

    class DropReplay(bpy.types.FileHandler):
        bl_idname = "IMPORT_FH_reprise"
        bl_label = "Game replay"
        bl_import_operator = ImportReplay.bl_idname
        bl_file_extensions = ";".join(ENDINGS)

        @classmethod
        def poll_drop(cls, context):
            return context.area and context.area.type in {"VIEW_3D", "OUTLINER"}

    CLASSES.append(DropReplay)


def menu_entry(self, _context):
    self.layout.operator(ImportReplay.bl_idname, text="Game replay (Reprise)")


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.TOPBAR_MT_file_import.append(menu_entry)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(menu_entry)
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
