import assert from "node:assert/strict";
import { runOfEvents } from "../../../dev/event-log";

const begin = Date.UTC(2026, 10, 22, 9) / 1000;
const at = (seconds: number) => new Date(1000 * (begin + seconds)).toISOString();

const resource = (name: string, op: string, type = "kubernetes:apps/v1:DaemonSet") => ({
    metadata: { op, type, urn: `urn:pulumi:c::tradewind::tradewind:index:LocalCluster$${type}::${name}` },
});
const log = (...events: readonly [number, object][]) =>
    events.map(([seconds, event]) => JSON.stringify({ timestamp: begin + seconds, ...event })).join("\n");

describe("a run of pulumi up, from its event log", () => {
    it("contains the start and end of each operation, in a single stage", () => {
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

    it("is empty if nothing changed, as in a preview", () => {
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

    it("contains the readable part of a truncated log", () => {
        const made = resource("a", "create");
        const text = log([0, { resourcePreEvent: made }], [1, { resOutputsEvent: made }]);
        assert.equal(runOfEvents(`${text}\n{"timest`)!.operations.length, 1);
    });

    it("contains each step of the bootstrap once", () => {
        const urn = "urn:pulumi:p::shop::command:local:Command::c-bootstrap";
        const say = (seconds: number, message: string): [number, object] => [
            seconds,
            { diagnosticEvent: { urn, message, severity: "info" } },
        ];
        const made = resource("c-bootstrap", "create", "command:local:Command");
        const run = runOfEvents(
            log(
                [1, { resourcePreEvent: made }],
                [3, { resOutputsEvent: made }],
                say(10, "<{%reset%}>bootstrap: wait-for-api done in 6.5s<{%reset%}>\n"),
                say(20, "bootstrap: wait-for-api done in 6.5s\nbootstrap: pivot done in 9s\n"),
            ),
        );
        assert.deepEqual(run!.parts["pulumi up"], [
            { stage: "bootstrap: wait-for-api", seconds: 6.5, at: at(3.5) },
            { stage: "bootstrap: pivot", seconds: 9, at: at(11) },
        ]);
    });
});
