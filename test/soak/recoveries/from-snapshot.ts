import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { powerCut } from "../../../machines";
import type { Scene } from "../../cluster/faults";
import { recover, strikeAtEachStep } from "./recovering";
import type { Recovery } from "./recovery";

type Recovering = (scene: Scene, say: (line: string) => void, file: string) => Promise<unknown>;

/** Takes a snapshot, writes more, recovers from the snapshot, and checks that the later write is missing. */
async function restored(scene: Scene, say: (line: string) => void, recovering: Recovering): Promise<void> {
    const { cluster } = scene;
    const folder = mkdtempSync(join(tmpdir(), "tradewind-soak-"));
    const file = join(folder, "snapshot.db");
    const late = `late-${Date.now()}`;
    try {
        const { stdout } = await cluster.tradewind("snapshot", "--to", file);
        const [, name] = /^(\S+): \d+ bytes, \d+ keys, verified, on /m.exec(stdout) ?? [];
        assert.ok(name, stdout);
        assert.ok(statSync(file).size > 0);
        assert.ok((await cluster.tradewind("snapshot", "--list")).stdout.includes(name), `${name} is in the list`);
        say(stdout.trim().split("\n")[0]!);
        await cluster.kubectl("create", "configmap", late);
        await recovering(scene, say, file);
        await assert.rejects(
            cluster.kubectl("get", "configmap", late),
            /NotFound/,
            "what was written after the snapshot",
        );
    } finally {
        rmSync(folder, { recursive: true });
    }
}

export const fromSnapshot: readonly Recovery[] = [
    {
        name: "snapshot",
        about: "every controller's etcd has the wrong data: --from snapshot, and the others join again",
        run: (scene, say) =>
            restored(scene, say, async (_, __, file) => {
                const args = ["--from", "snapshot", "--snapshot", file];
                await assert.rejects(recover(scene, say, ...args), /is intact, .* or --discard-data/);
                args.push("--discard-data");
                await assert.rejects(recover(scene, say, ...args), /still has data, which must be moved aside before/);
                await recover(scene, say, ...args, "--reset-others");
            }),
    },
    {
        name: "snapshot-cut-at-each-step",
        about: "the same, and the controller loses power at each step",
        run: (scene, say) =>
            restored(scene, say, async (_, __, file) => {
                const [controller] = scene.controllers as [string];
                const args = ["--from", "snapshot", "--snapshot", file, "--discard-data", "--reset-others"];
                const recovering = recover(scene, say, ...args);
                const cut = () => powerCut(scene.cluster.name, controller);
                const steps = await strikeAtEachStep(scene, controller, cut, recovering);
                say(`struck at ${steps.length} steps: ${steps.join(", ")}`);
                assert.ok(steps.length >= 6, "steps that were struck");
            }),
    },
    {
        name: "new-machines",
        about: "every controller is recreated and the first restored: tradewind drill",
        run: async ({ cluster }, say) => {
            const { stdout } = await cluster.tradewind("drill", "--yes");
            for (const pattern of [/all \d+ objects are unchanged/, /from the loss of all controllers .*/]) {
                const [line] = pattern.exec(stdout) ?? [];
                assert.ok(line, stdout);
                say(line);
            }
        },
    },
];
