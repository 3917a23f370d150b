import assert from "node:assert/strict";
import { describeStage } from "../../../machines/bootstrap";

describe("describeStage", () => {
    for (const [event, line] of [
        [{ event: "start" }, "bootstrap: apply-manifests start"],
        [{ event: "done", seconds: 1.234 }, "bootstrap: apply-manifests done in 1.2s"],
        [{ event: "retry", message: "connection refused" }, "bootstrap: apply-manifests retry: connection refused"],
        [{ event: "failed", seconds: 60, message: "no" }, "bootstrap: apply-manifests failed after 60.0s: no"],
    ] as const) {
        it(`prints "${line}"`, () => {
            assert.equal(describeStage(JSON.stringify({ time: "", step: "apply-manifests", ...event })), line);
        });
    }

    it("prints a line cut off by a power cut as it is", () => {
        assert.equal(describeStage('{"time": "20'), 'bootstrap: {"time": "20');
    });
});
