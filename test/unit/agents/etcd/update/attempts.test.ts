import assert from "node:assert/strict";
import { Attempts } from "../../../../../agents/etcd/update/trial";

const settle = 5_000;
const attempts = () => new Attempts(["a/3"], 0, settle);

describe("the state of a container", () => {
    it("is unknown until it has had time to start", () => {
        assert.deepEqual(attempts().judge(["a/3"], false, settle - 1), { ended: 0 });
    });

    it("is waiting while the kubelet starts none; earlier starts do not count", () => {
        const waiting = attempts();
        assert.deepEqual(waiting.judge(["a/3"], true, 6_000), { ended: 0 });
        assert.deepEqual(waiting.judge(["a/3"], false, 10_000), { ended: 0 });
        assert.deepEqual(waiting.judge(["a/3"], false, 46_000), { ended: 0, waitingSince: 6_000 });
    });

    it("is running while its process exists, however late it started", () => {
        const late = attempts();
        late.judge(["a/3"], false, 60_000);
        assert.deepEqual(late.judge(["a/3", "a/4"], false, 61_000), { ended: 0 });
        assert.deepEqual(late.judge(["a/3", "a/4"], true, 90_000), { ended: 0 });
    });

    it("is ended even if its process was never seen", () => {
        const ending = attempts();
        ending.judge(["a/3", "a/4"], false, 1_000);
        assert.deepEqual(ending.judge(["a/3", "a/4"], false, 7_000), { ended: 1, waitingSince: 1_000 });
        assert.deepEqual(ending.judge(["a/4", "a/5"], false, 11_000), { ended: 1 });
        assert.deepEqual(ending.judge(["a/5"], false, 16_000), { ended: 2, waitingSince: 11_000 });
    });

    it("is not a failure if it was ended on purpose", () => {
        const reported = attempts();
        reported.judge(["a/3", "a/4"], true, 1_000);
        reported.forget();
        assert.deepEqual(reported.judge(["a/3", "a/4"], false, 9_000), { ended: 0, waitingSince: 1_000 });
    });
});
