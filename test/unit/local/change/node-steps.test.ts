import assert from "node:assert/strict";
import { NodeSteps, type NodeView } from "../../../../local/change/follow";

const ready: NodeView = { name: "blue-default-0", kubelet: "1.35.4", isReady: true, isCordoned: false };
const other: NodeView = { ...ready, name: "blue-default-1" };

describe("the steps of nodes while their cluster changes", () => {
    const stepsOf = (...observations: (readonly NodeView[])[]) => {
        const steps = new NodeSteps();
        for (const [second, nodes] of observations.entries()) steps.observe(nodes, 1000 * second);
        return steps.until(1000 * observations.length).map(({ name, step, at, seconds }) => [name, step, at, seconds]);
    };

    it("are the drain, and then the new kubelet until the node is schedulable", () => {
        const cordoned = { ...ready, isCordoned: true };
        const changed = { ...cordoned, kubelet: "1.36.3" };
        const away = { ...changed, isReady: false };
        const done = { ...changed, isCordoned: false };
        assert.deepEqual(stepsOf([ready, other], [cordoned, other], [cordoned, other], [away], [changed], [done]), [
            ["blue-default-0", "drained", "1970-01-01T00:00:01.000Z", 2],
            ["blue-default-0", "kubelet 1.36.3", "1970-01-01T00:00:03.000Z", 2],
        ]);
    });

    it("are empty for an unchanged node", () => {
        assert.deepEqual(stepsOf([ready, other], [ready, other]), []);
    });

    it("include not being ready until removal or the end, except for joining nodes", () => {
        const away = { ...other, isReady: false };
        const joining = { ...away, name: "blue-default-2" };
        assert.deepEqual(stepsOf([ready, other], [ready, away, joining], [{ ...ready, isReady: false }, joining]), [
            ["blue-default-1", "not Ready", "1970-01-01T00:00:01.000Z", 1],
            ["blue-default-0", "not Ready", "1970-01-01T00:00:02.000Z", 1],
        ]);
    });
});
