import assert from "node:assert/strict";
import { parseFacts } from "../../../../cli/recover/facts";

const head = "joined yes\ndata yes\npod no\nready no\nover yes\nsnapshot c-20261121T10\nsnapshot c-20261120T10\n";

describe("the facts of a controller", () => {
    it("are parsed completely", () => {
        const recovery = { id: "1", from: "etcd", isHeld: true };
        assert.deepEqual(parseFacts(`${head}plan\n${JSON.stringify({ recovery })}`), {
            hasJoined: true,
            hasEtcdData: true,
            hasEtcdStaticPod: false,
            isEtcdReady: false,
            last: { recovery, isOver: true },
            snapshots: ["c-20261120T10", "c-20261121T10"],
        });
    });

    it("may be of a machine without any task", () => {
        assert.equal(parseFacts("joined no\ndata no\npod no\nready no\nover no\n").last, undefined);
    });

    it("may contain a truncated plan after a power cut", () => {
        assert.deepEqual(parseFacts(`${head}plan\n{"reco`).last, { recovery: undefined, isOver: true });
    });
});
