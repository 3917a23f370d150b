import assert from "node:assert/strict";
import { runOfEvents } from "../../../../cli/timeline/events";

const begin = Date.UTC(2026, 10, 22, 9) / 1000;
const at = (seconds: number) => new Date(1000 * (begin + seconds)).toISOString();

const resource = (name: string, op: string, type = "kubernetes:apps/v1:DaemonSet") => ({
    metadata: { op, type, urn: `urn:pulumi:c::tradewind::tradewind:index:LocalCluster$${type}::${name}` },
});
const log = (...events: readonly [number, object][]) =>
    events.map(([seconds, event]) => JSON.stringify({ timestamp: begin + seconds, ...event })).join("\n");

describe("a run of pulumi up, by its event log", () => {
    it("is each change of a resource from when to when, in a stage that is all of it", () => {
        const scheduler = resource("c/daemonset/kube-system/kube-scheduler", "update");
        const secret = resource("c/secret/x", "delete-replaced", "kubernetes:core/v1:Secret");
        const run = runOfEvents(
            log(
                [0, { preludeEvent: {} }],
                [2, { resourcePreEvent: scheduler }],
                [3, { resourcePreEvent: secret }],
                [4, { resOutputsEvent: secret }],
                [9, { resOutputsEvent: scheduler }],
                [10, { summaryEvent: {} }],
            ),
        );
        assert.deepEqual(run, {
            stages: [{ stage: "pulumi up", at: at(0), seconds: 10 }],
            parts: {},
            operations: [
                { name: "c/secret/x", kind: "Secret", verb: "deleted original", at: at(3), seconds: 1 },
                {
                    name: "c/daemonset/kube-system/kube-scheduler",
                    kind: "DaemonSet",
                    verb: "updated",
                    at: at(2),
                    seconds: 7,
                },
            ],
            nodes: [],
        });
    });

    it("is nothing if nothing was changed, be it that it was only previewed", () => {
        const same = resource("a", "same");
        const planned = { ...resource("a", "update"), planning: true };
        const stack = resource("c", "update", "pulumi:pulumi:Stack");
        for (const event of [same, planned, stack]) {
            assert.equal(
                runOfEvents(log([0, { resourcePreEvent: event }], [1, { resOutputsEvent: event }])),
                undefined,
            );
        }
        assert.equal(runOfEvents(""), undefined);
    });

    it("is as much as there is of a log that was cut off", () => {
        const made = resource("a", "create");
        const text = log([0, { resourcePreEvent: made }], [1, { resOutputsEvent: made }]);
        assert.equal(runOfEvents(`${text}\n{"timest`)!.operations.length, 1);
    });
});
