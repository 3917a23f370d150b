import assert from "node:assert/strict";
import { Stages } from "../../../local/stages";
import { renderTimeline, rollouts } from "../../../local/summary";

describe("the timeline", () => {
    it("is a table of stages, their parts and the total", () => {
        const stages = [
            { stage: "preflight", seconds: 0.04 },
            { stage: "pulumi up", seconds: 61.26 },
        ];
        const parts = { "pulumi up": [{ stage: "bootstrap: wait-for-api", seconds: 7.5 }] };
        assert.equal(
            renderTimeline(stages, parts),
            [
                "stage                      seconds",
                "preflight                      0.0",
                "pulumi up                     61.3",
                "  bootstrap: wait-for-api      7.5",
                "total                         61.3",
            ].join("\n"),
        );
    });
});

describe("the parts of pulumi up", () => {
    it("include rollouts of at least a second", () => {
        const operation = (kind: string, name: string, seconds: number) => ({
            ...{ kind, name, seconds },
            ...{ verb: "updated", at: "2026-11-24T12:00:00.000Z" },
        });
        const operations = [
            operation("DaemonSet", "c/daemonset/kube-system/kube-apiserver", 15.8),
            operation("Deployment", "c/deployment/kube-system/coredns", 0.4),
            operation("ConfigMap", "c/configmap/kube-system/coredns", 3),
        ];
        assert.deepEqual(rollouts(operations), [{ stage: "DaemonSet kube-apiserver", seconds: 15.8 }]);
    });
});

describe("the stages", () => {
    it("print progress, descriptions, and messages below them", async () => {
        let now = 0;
        const printed: string[] = [];
        const stages = new Stages(
            2,
            (line) => void printed.push(line),
            () => now,
            () => Date.UTC(2026, 10, 22, 9) + now,
        );
        await stages.run("one", "first things", async (say) => {
            now = 1500;
            say("done");
        });
        const result = await stages.run("two", "the rest", async () => {
            now = 4000;
            return 7;
        });
        assert.equal(result, 7);
        assert.deepEqual(printed, [
            "==> [1/2] one: first things (at 0.0 s)",
            "    done",
            "==> [2/2] two: the rest (at 1.5 s)",
        ]);
        assert.deepEqual(stages.timings, [
            { stage: "one", seconds: 1.5, at: "2026-11-22T09:00:00.000Z" },
            { stage: "two", seconds: 2.5, at: "2026-11-22T09:00:01.500Z" },
        ]);
        assert.equal(stages.seconds, 4);
    });

    it("end with the first failure", async () => {
        const stages = new Stages(2, () => undefined);
        await assert.rejects(
            stages.run("one", "", async () => {
                throw new Error("no disk");
            }),
            { message: "no disk" },
        );
        assert.deepEqual(stages.timings, []);
    });
});
