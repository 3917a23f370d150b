import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Recovery } from "../../../../../agents/boot/bootstrap/plan";
import { writeAssets } from "./assets";
import { Scene } from "./scene";

const namespace = "/api/v1/namespaces/kube-system";

/** A cluster that pivoted and then lost its control plane, with a recovery's files on the disk. */
export async function lostCluster(recovery?: Recovery): Promise<Scene> {
    const scene = await Scene.create();
    await scene.run();
    scene.machine.powerCut();
    const { objects, requests } = scene.machine.api;
    for (const path of [...objects.keys()].filter((key) => key.startsWith(`${namespace}/pods/`))) {
        objects.delete(path);
    }
    requests.length = 0;
    scene.lines.length = 0;
    writeAssets({ ...scene.plan, recovery });
    for (const file of [scene.stamp, scene.stages, join(scene.plan.directories.state, "journal.json")]) {
        rmSync(file);
    }
    scene.machine.boot();
    return scene;
}
