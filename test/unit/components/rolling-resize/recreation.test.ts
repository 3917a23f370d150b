import assert from "node:assert/strict";
import { sizeAnnotation } from "../../../../components/rolling-resize/leave";
import { isRecreation, returnTo } from "../../../../components/rolling-resize/recreation";
import { FakeCluster } from "./fake-cluster";

describe("a machine listed in recreate", () => {
    it("is drained only if its configuration differs from the one it booted with", () => {
        const inputs = (hash?: string) => ({
            create: "date",
            ...(hash !== undefined && { environment: { MADE_ANEW: hash } }),
        });
        for (const [before, after, is] of [
            [undefined, "a", true],
            ["a", "b", true],
            ["a", "a", false],
            [undefined, undefined, false],
        ] as const) {
            assert.equal(
                isRecreation({ oldInputs: inputs(before), newInputs: inputs(after) }),
                is,
                `${before} ${after}`,
            );
        }
        assert.equal(isRecreation({ oldInputs: { create: "other" }, newInputs: inputs() }), false);
    });
});

describe("the node of a machine listed in recreate, once the machine exists,", () => {
    const uncordon = `patch c-1 {"unschedulable":null,"${sizeAnnotation}":null}`;
    const said: string[] = [];
    let cluster: FakeCluster;
    const back = (left?: Parameters<typeof returnTo>[2]) =>
        returnTo(cluster.api, "c-1", left, 0, (line) => void said.push(line));
    const cordoned = () => Object.assign(cluster.nodes["c-1"]!, { annotations: { [sizeAnnotation]: "true" } });

    beforeEach(() => {
        said.length = 0;
        cluster = new FakeCluster();
        cluster.node("c-1", true);
        cluster.pods = { apiserver: { node: "c-1", container: "9", owner: "DaemonSet" } };
    });

    it("is uncordoned once its new machine runs what the old one did", async () => {
        cordoned();
        await assert.rejects(back({ containers: new Set(["9"]) }), { message: /last seen: apiserver is not Ready$/ });
        assert.deepEqual(cluster.asked, []);
        await back({ containers: new Set(["1"]) });
        assert.deepEqual(cluster.asked, [uncordon]);
    });

    it("is uncordoned if an earlier up was interrupted", async () => {
        for (const left of [undefined, "no API"] as const) {
            cordoned();
            await back(left);
        }
        assert.deepEqual(cluster.asked, [uncordon, uncordon]);
    });

    it("is not waited for if it was not drained, does not exist, or cannot be read", async () => {
        cluster.nodes["c-1"]!.isReady = false;
        await back();
        delete cluster.nodes["c-1"];
        await back("no node");
        assert.deepEqual([cluster.asked, said], [[], []]);
        cluster.refusal = new Error("connect ECONNREFUSED");
        await back();
        assert.deepEqual(said, [
            "whether c-1 is still cordoned was not checked: connect ECONNREFUSED; if it is, run `kubectl uncordon c-1`",
        ]);
    });
});
