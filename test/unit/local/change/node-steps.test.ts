import assert from "node:assert/strict";
import { NodeSteps, type NodeView } from "../../../../local/change/follow";

const ready: NodeView = { name: "blue-default-0", kubelet: "1.35.4", isReady: true, isCordoned: false };
const other: NodeView = { ...ready, name: "blue-default-1" };

describe("what nodes are at while their cluster changes", () => {
    const stepsOf = (...looks: (readonly NodeView[])[]) => {
        const steps = new NodeSteps();
        for (const [second, nodes] of looks.entries()) steps.look(nodes, 1000 * second);
        return steps.until(1000 * looks.length).map(({ name, step, at, seconds }) => [name, step, at, seconds]);
    };

    it("is the drain, and then the other kubelet until the node takes pods again", () => {
        const cordoned = { ...ready, isCordoned: true };
        const changed = { ...cordoned, kubelet: "1.36.3" };
        const away = { ...changed, isReady: false };
        const done = { ...changed, isCordoned: false };
        assert.deepEqual(stepsOf([ready, other], [cordoned, other], [cordoned, other], [away], [changed], [done]), [
            ["blue-default-0", "drained", "1970-01-01T00:00:01.000Z", 2],
            ["blue-default-0", "kubelet 1.36.3", "1970-01-01T00:00:03.000Z", 2],
        ]);
    });

    it("is nothing of a node that was left alone", () => {
        assert.deepEqual(stepsOf([ready, other], [ready, other]), []);
    });

    it("is that it is not Ready, until it is gone or nobody looks any more, but of one that joins", () => {
        const away = { ...other, isReady: false };
        const joining = { ...away, name: "blue-default-2" };
        assert.deepEqual(stepsOf([ready, other], [ready, away, joining], [{ ...ready, isReady: false }, joining]), [
            ["blue-default-1", "not Ready", "1970-01-01T00:00:01.000Z", 1],
            ["blue-default-0", "not Ready", "1970-01-01T00:00:02.000Z", 1],
        ]);
    });
});
